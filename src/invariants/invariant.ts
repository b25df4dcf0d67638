import type { History } from '../history/history.ts';
import type { Violation } from '../history/record.ts';

/** A statement about a history. Both functions are pure. */
export interface Invariant {
  /** In kebab case: `no-duplicate-events`. */
  name: string;
  /** One sentence for a person: what must be true. */
  title: string;
  /** It says that something must come to pass, so that a trial that somebody else cut short proves nothing against it. */
  liveness?: true;
  /** What breaks it; empty when it holds. `invariant` is filled in by the judge. */
  check(history: History): Omit<Violation, 'invariant'>[];
  /**
   * Plants a violation of this invariant, and of as little else as can be, into a real history that holds.
   * Null when that history has nothing to plant it in. A checker that does not reject the forged history is blind.
   */
  forge(history: History): History | null;
}
