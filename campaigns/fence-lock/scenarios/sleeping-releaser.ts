import fc from 'fast-check';
import { plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { writeBeforeLast } from './places.ts';

/** By then its write is done, so that nothing is left to it that it must not do but to give back what is no longer its own. */
const sleepingReleaser: Scenario = {
  name: 'sleeping-releaser',
  title: 'A holder sleeps past its lease just before it releases the lock, and wakes up when another has taken it.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) => {
    const sleeps = writeBeforeLast(golden).map(
      (n): Fault => ({
        where: { at: 'point', session: 's1', name: 'in-band.counted', n },
        action: { do: 'pause', until: { at: 'lock', session: 's2', change: 'acquired', n: 1 } },
      }),
    );
    const rival: Fault = { where: { at: 'time', ms: 1000, since: 'last-fault' }, action: { do: 'rival' } };
    return plan([sleeps, fc.constant(rival)]);
  },
};

export default sleepingReleaser;
