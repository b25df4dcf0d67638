import { at, placeToWrite, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** As when a laptop is closed and opened again: the lease is long over, and yet nothing has happened to the lock. */
const pausePastLeaseAlone: Scenario = {
  name: 'pause-past-lease-alone',
  title: 'The holder is paused past its lease, and nobody comes for the lock meanwhile.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) =>
    plan([
      ttls(golden, { from: 1.1, to: 3 }).chain((ms) =>
        at(placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.8 }), { do: 'pause', ms }),
      ),
    ]),
};

export default pausePastLeaseAlone;
