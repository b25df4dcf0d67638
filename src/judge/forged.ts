import type { History } from '../history/history.ts';
import type { Invariant } from '../invariants/invariant.ts';

export interface ForgedResult {
  invariant: string;
  /** `accepted`: the checker saw nothing wrong with a history in which its invariant is broken. `not-plantable`: no history had a place for it. */
  result: 'rejected' | 'accepted' | 'not-plantable';
  /** The trial whose history was forged. */
  trial: string | null;
}

/**
 * Plants a violation of each invariant into the first of the campaign's own held histories that has a place for it, and sees whether its checker rejects it.
 * A few histories will do, one of each scenario for instance.
 */
export function tryForged(invariants: Invariant[], held: History[]): ForgedResult[] {
  return invariants.map(({ name, check, forge }) => {
    for (const history of held) {
      const forged = forge(history);
      if (forged) return { invariant: name, result: check(forged).length > 0 ? 'rejected' : 'accepted', trial: history.trial.id };
    }
    return { invariant: name, result: 'not-plantable', trial: null };
  });
}
