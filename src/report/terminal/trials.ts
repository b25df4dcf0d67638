import type { RunSummary } from '../../judge/run-summary.ts';
import { duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

/** Subjects × scenarios: verdicts, kills and recovery times. */
export function trialsTable({ scenarios }: RunSummary, paint: Paint): string {
  const subjects = new Set(scenarios.map(({ subject }) => subject)).size > 1;
  const columns: Column[] = [
    { name: 'scenario', align: 'left' },
    ...(subjects ? [{ name: 'subject', align: 'left' } as const] : []),
    ...['trials', 'held', 'broken', 'void', 'kills', 'lock left', 'p50', 'p90', 'max'].map((name) => ({ name, align: 'right' }) as const),
  ];
  const rows = scenarios.map(({ name, subject, trials, kills, leftLockBehind, recoveryMs }) => [
    name,
    ...(subjects ? [subject] : []),
    String(trials.total),
    String(trials.held),
    warn(trials.broken, 'red', paint),
    warn(trials.void, 'yellow', paint),
    String(kills),
    String(leftLockBehind.trials),
    duration(recoveryMs.p50),
    duration(recoveryMs.p90),
    duration(recoveryMs.max),
  ]);
  return table(columns, rows, paint);
}

function warn(n: number, colour: 'red' | 'yellow', paint: Paint): string {
  return n === 0 ? '0' : paint(colour, String(n));
}
