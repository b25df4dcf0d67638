import type { Comparison } from '../compare/compare.ts';
import type { Side } from '../compare/pair.ts';
import type { Gate } from '../gate/gate.ts';
import type { TrialRecord } from '../history/record.ts';
import type { RunSummary } from '../judge/run-summary.ts';
import type { Paint } from './paint.ts';

/** What there is to report. Every reporter gets the same, and nothing else: what a run's own directory keeps beside it is found by `runDirectory`. */
export type Result =
  /** `records`: of all trials, golden runs and controls included. */
  | { of: 'run'; summary: RunSummary; records: TrialRecord[] }
  | { of: 'compare'; comparison: Comparison & { exitCode: number }; sides: { baseline: Side; contender: Side } }
  | { of: 'gate'; gate: Gate; records: TrialRecord[] };

/** All comparisons of a gate, the weightiest first. */
export function comparisonsOf({ compare, otherSubjects }: Gate): Comparison[] {
  return [...(compare ? [compare] : []), ...otherSubjects];
}

/** One form of a result, as text. `paint` colours it for where it will be shown; a form without colours leaves it alone. */
export type Reporter = (result: Result, paint: Paint) => string | Promise<string>;
