import { isTimed } from './attrition.ts';
import type { Outcome } from './outcome.ts';
import type { Side } from './pair.ts';

/** What a trial's recovery had to get past. It is read from the history, not guessed from the times. */
export type Mechanism = 'left-behind' | 'clean' | 'never';

interface Range {
  min: number | null;
  max: number | null;
}

/** The trials of one mechanism, or of all: how many, and what they took at least and at most. */
export interface MechanismRow {
  mechanism: Mechanism | 'all';
  trials: number;
  recoveryMs: Range;
  durationMs: Range;
}

/** `horizonMs`: what takes longer never recovered, on either side. */
export function mechanismOf({ recoveryMs, leftLockBehind }: Outcome, horizonMs: number): Mechanism {
  if (recoveryMs === null || recoveryMs > horizonMs) return 'never';
  return leftLockBehind ? 'left-behind' : 'clean';
}

export function byMechanism({ outcomes }: Side, horizonMs: number): MechanismRow[] {
  const timed = outcomes.filter(isTimed);
  const rows = (['left-behind', 'clean', 'never'] as const).map((mechanism) =>
    rowOf(
      mechanism,
      timed.filter((outcome) => mechanismOf(outcome, horizonMs) === mechanism),
    ),
  );
  return [...rows, rowOf('all', timed)];
}

function rowOf(mechanism: MechanismRow['mechanism'], outcomes: Outcome[]): MechanismRow {
  return {
    mechanism,
    trials: outcomes.length,
    recoveryMs: rangeOf(outcomes.flatMap(({ recoveryMs }) => recoveryMs ?? [])),
    durationMs: rangeOf(outcomes.map(({ durationMs }) => durationMs)),
  };
}

function rangeOf(values: number[]): Range {
  let [min, max]: [number | null, number | null] = [null, null];
  for (const value of values) [min, max] = [Math.min(min ?? value, value), Math.max(max ?? value, value)];
  return { min, max };
}
