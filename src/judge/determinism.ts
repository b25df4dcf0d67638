import { type Difference, differenceText } from '../history/difference.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Doubt } from './doubts.ts';

/** What came of running each trial a second time. */
export interface Determinism {
  /** Trials that were run twice and that nothing uncontrolled took part in. */
  checked: number;
  /** Those whose two histories are not the same. */
  different: { id: string; difference: Difference | null }[];
  /** Those with something in them that sim does not control: nothing was promised of them. */
  uncontrolled: { id: string; what: string[] }[];
}

/** Null: no trial was run twice. */
export function determinismOf(records: TrialRecord[]): Determinism | null {
  const repeated = records.filter(({ repetition }) => repetition !== undefined);
  if (repeated.length === 0) return null;
  const uncontrolled = repeated.filter(({ repetition }) => repetition?.is === 'uncontrolled');
  return {
    checked: repeated.length - uncontrolled.length,
    different: repeated.flatMap(({ id, repetition }) => (repetition?.is === 'different' ? { id, difference: repetition.difference } : [])),
    uncontrolled: uncontrolled.map(({ id, nondeterministic }) => ({ id, what: nondeterministic })),
  };
}

/**
 * A trial that does not repeat is not what it claims to be, and that makes the run void. It is no failure of the harness in the sense of exit code 70: the run
 * came to its end, and its records are true, only not repeatable. Nor may it hide a broken invariant, which is proven however often it was seen.
 */
export function doubtsAboutDeterminism(determinism: Determinism | null): Doubt[] {
  if (determinism === null) return [];
  const { checked, different } = determinism;
  const [first] = different;
  if (!first) return [];
  const why = `determinism bug: ${different.length} of ${checked} trials gave another history when they were run again. ${first.id} parts with ${partingText(first.difference)}. See docs/simulation.md for what is not simulated; if it is nothing of that, the bug is in crash-campaign`;
  return [{ verdict: 'void', why, proven: true }];
}

/** Where the two histories part, where both are known. */
export function partingText(difference: Difference | null): string {
  return difference === null ? 'its history in another run, of which the digest alone is known' : differenceText(difference);
}
