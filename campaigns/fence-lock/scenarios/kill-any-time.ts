import fc from 'fast-check';
import { plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';

/** A run without faults takes a little longer, all of which it waits by itself: that is the same on every machine. */
const RUN_MS = 7_000;

/**
 * Where `kill-anywhere` goes by operations, this one goes by the clock, as a power switch and an out-of-memory killer do: what takes longer is hit more often, so that the
 * share of trials that leave the lock behind is the share of time for which it is held.
 */
const killAnyTime: Scenario = {
  name: 'kill-any-time',
  title: 'The session is killed at any time between its start and its end.',
  draw: () =>
    plan([
      fc
        .integer({ min: 1, max: RUN_MS })
        .map((ms): Fault => ({ where: { at: 'time', session: 's1', ms, since: 'start' }, action: { do: 'kill' } })),
    ]),
};

export default killAnyTime;
