import type { TrialRecord } from '../history/record.ts';
import type { Paint } from '../report/paint.ts';
import { EXIT } from './exit-code.ts';

/** DESIGN 4.6. `digests` has one entry for each repetition, in order. */
interface ReplaySummary {
  schema: 'crash-campaign/replay@1';
  reproduced: number;
  of: number;
  digests: string[];
  /** The worst: broken before void before held. */
  verdict: TrialRecord['verdict'];
  exitCode: number;
  /** Of the first repetition that reproduced, else of the first. */
  trial: TrialRecord;
}

/** Whether the trial ended as it had before; without a record before it, whether it broke. */
export function isReproduced(now: TrialRecord, before: TrialRecord | null): boolean {
  if (before === null) return now.verdict === 'broken';
  const broken = now.violations.map(({ invariant }) => invariant);
  return now.verdict === before.verdict && before.violations.every(({ invariant }) => broken.includes(invariant));
}

/** How a trial went otherwise than its record; null where nothing is to be said of that, or where it is not that record's trial. */
export function otherwiseText(now: TrialRecord, before: TrialRecord, paint: Paint): string | null {
  if (now.id !== before.id || now.driver !== before.driver) return null;
  const isPromised = now.driver === 'sim' && now.nondeterministic.length + before.nondeterministic.length === 0;
  const isSame = now.digest === before.digest;
  const hasChanged = 'the kernel, its packages, the campaign, node or crash-campaign has changed since';
  if (isReproduced(now, before))
    return isPromised && !isSame ? `${paint('yellow', 'as recorded, with another history')}: ${hasChanged}` : null;
  const why = isPromised
    ? isSame
      ? 'the same history, judged anew'
      : hasChanged
    : 'not all of it can be repeated: --times 20 counts how often it is';
  return `${paint('yellow', 'not as recorded')}: ${endText(before)} then, ${endText(now)} now; ${why}`;
}

function endText({ verdict, violations }: TrialRecord): string {
  const broken = new Set(violations.map(({ invariant }) => invariant));
  return broken.size === 0 ? verdict : `${verdict} (${[...broken].join(', ')})`;
}

const VERDICTS = ['broken', 'void', 'held'] as const;

/** @param records at least one */
export function summarise(records: TrialRecord[], before: TrialRecord | null): ReplaySummary {
  const reproduced = records.filter((record) => isReproduced(record, before));
  const verdict = VERDICTS.find((verdict) => records.some((record) => record.verdict === verdict)) ?? 'held';
  return {
    schema: 'crash-campaign/replay@1',
    reproduced: reproduced.length,
    of: records.length,
    digests: records.map(({ digest }) => digest),
    verdict,
    exitCode: { held: EXIT.pass, broken: EXIT.fail, void: EXIT.void }[verdict],
    trial: reproduced[0] ?? (records[0] as TrialRecord),
  };
}

/** `reproduced 7 of 20, with 20 different histories`. */
export function timesText({ reproduced, of, digests }: ReplaySummary, paint: Paint): string {
  const different = new Set(digests).size;
  const histories = different === 1 ? 'with one and the same history' : `with ${different} different histories`;
  return `${paint('bold', `reproduced ${reproduced} of ${of}`)}, ${histories}`;
}
