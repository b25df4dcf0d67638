import type { TrialRecord } from '../../history/record.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { counted, type Split } from '../../judge/summary.ts';
import { count, duration, durationRange } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [
  { name: 'trials whose kill …', align: 'left' },
  { name: 'trials', align: 'right' },
  { name: 'recovery min – max', align: 'right' },
  { name: 'trial min – max', align: 'right' },
];

const columnsBySubject: Column[] = [
  { name: 'trials whose kill …', align: 'left' },
  { name: 'subject', align: 'left' },
  { name: 'left it', align: 'right' },
  { name: 'recovery', align: 'right' },
  { name: 'those took', align: 'right' },
  { name: 'did not', align: 'right' },
  { name: 'those took', align: 'right' },
];

/** Trials whose kill left the lock behind against those that did not: how many, and how long each took; and what the whole campaign took. */
export function lockLeftBehindTable(run: RunSummary, records: TrialRecord[], paint: Paint): string {
  const { censored } = run.recovery;
  const killed = counted(records).filter(({ variant, kills }) => variant === null && kills.length > 0);
  const hasSubjects = new Set(run.scenarios.map(({ subject }) => subject)).size > 1;
  return [
    hasSubjects ? bySubject(run, killed, paint) : inAll(run, killed, paint),
    ...(censored > 0 ? [paint('yellow', `nobody was seen to recover from ${count(censored, 'kill')}: the times are lower bounds`)] : []),
    `whole campaign: ${count(records.length, 'trial')}, golden runs and controls included, in ${duration(run.wallMs)}${run.driver === 'sim' ? `, ${duration(run.virtualMs)} of virtual time` : ''}`,
  ].join('\n');
}

function inAll({ recovery }: RunSummary, killed: TrialRecord[], paint: Paint): string {
  const row = (name: string, { trials, recoveryMs }: Split, isBehind: boolean) => [
    name,
    String(trials),
    durationRange(recoveryMs),
    tookRange(killed, isBehind),
  ];
  return table(columns, [row('left the lock behind', recovery.leftLockBehind, true), row('did not', recovery.otherwise, false)], paint);
}

/** What one subject waits for in one scenario and another does not is lost in any sum. */
function bySubject({ scenarios }: RunSummary, killed: TrialRecord[], paint: Paint): string {
  const rows = [...Map.groupBy(scenarios, ({ name }) => name)].flatMap(([name, subjects]) =>
    subjects
      .filter(({ kills }) => kills > 0)
      .map(({ subject, leftLockBehind, otherwise }, i) => {
        const own = killed.filter((record) => record.scenario === name && record.subject === subject);
        return [
          i === 0 ? name : '',
          subject,
          String(leftLockBehind.trials),
          durationRange(leftLockBehind.recoveryMs),
          tookRange(own, true),
          String(otherwise.trials),
          tookRange(own, false),
        ];
      }),
  );
  return table(columnsBySubject, rows, paint);
}

/** Of whole trials: those whose kill left the lock behind, or the others. */
function tookRange(killed: TrialRecord[], isBehind: boolean): string {
  const took_ms = killed
    .filter(({ kills }) => kills.some(({ left_lock_behind }) => left_lock_behind) === isBehind)
    .map(({ duration_ms }) => duration_ms)
    .toSorted((a, b) => a - b);
  return durationRange({ min: took_ms[0] ?? null, max: took_ms.at(-1) ?? null });
}
