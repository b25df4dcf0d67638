import fc from 'fast-check';
import { plan } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * Where `kill-anywhere` goes by operations, this one goes by the clock, as a power switch and an out-of-memory killer do: what takes longer is hit more often. So the
 * share of trials that leave the lock behind is the share of time for which it is held.
 */
const killAnyTime: Scenario = {
  name: 'kill-any-time',
  title: 'The session is killed at any time between its start and its end.',
  draw: (golden) =>
    plan([
      fc
        .integer({ min: 1, max: Math.max(1, Math.floor(golden.duration_ms * 0.9)) })
        .map((ms): Fault => ({ where: { at: 'time', session: 's1', ms, since: 'start' }, action: { do: 'kill' } })),
    ]),
};

export default killAnyTime;
