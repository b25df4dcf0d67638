import type { DriverName } from '../../src/campaign/campaign.ts';

/**
 * A real bug that somebody reported in public: what it is, and how the harness looks for it. Beside it, in `campaign.ts`, lie the broken and the fixed version of the package as subjects.
 * No case is helped: it names what must never happen and scenarios of a general kind, and no line, operation or pause point of the bug.
 */
export interface MuseumCase {
  /** That of its folder. */
  name: string;
  /** One sentence: what goes wrong. */
  title: string;
  /** Where it was reported. */
  source: string;
  /** What must never happen, in a few words: `two holders`. */
  never: string;
  /** The subject that has the bug. */
  broken: string;
  /** The one in which it is gone; null: nobody has mended it. */
  fixed: string | null;
  /** The violations that are the bug; any of them is a catch. `site` as findings print it, where the invariant alone says too little. */
  bug: { invariant: string; site?: string }[];
  /** In this order, each as far as its `most` goes, until the first catch. The fixed twin is searched in the same ways, in turn. */
  searches: [Search, ...Search[]];
  live: LiveConfirmation;
}

/** `most` trials at most; absent: 100. */
export type Search = (
  | /** Plans as the scenario draws them. `driver` absent: sim. */ { by: 'random'; scenario: string; driver?: DriverName }
  /** A crash before, after and torn in each operation of the golden run, in turn. */
  | { by: 'crashes' }
  /** Another order of sessions: at every conflict of a scenario's plan in turn, or sampled. */
  | { by: 'bounded' | 'pct'; scenario: string }
) & { most?: number };

/** How what was found under sim is seen once more on the real clock. What was found under live needs nothing more. */
export type LiveConfirmation =
  /** The plans that were found, one of each base seed, where `timing.live` has the lease of `timing.sim`: the probe holds sessions at the operations at which faults are placed. */
  | { by: 'plan' }
  /** So many plans that a scenario draws for the live driver. */
  | { by: 'rate'; scenario: string; trials: number }
  | { by: 'none'; why: string };
