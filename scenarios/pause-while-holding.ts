import { at, placeToWrite, plan, sinceLastFault, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** For locks that have no lease too: a rival that waits for one of these gets it when the holder has woken up and is done. */
const pauseWhileHolding: Scenario = {
  name: 'pause-while-holding',
  title: 'The holder is paused for one to two leases, and a rival comes for the lock meanwhile.',
  aims: ['holding'],
  draw: (golden) => {
    const pause = ttls(golden, { from: 1.2, to: 2 }).chain((ms) =>
      at(placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.5 }), { do: 'pause', ms }),
    );
    return plan([pause, at(sinceLastFault(golden, { from: 0.1, to: 0.8 }), { do: 'rival' })]);
  },
};

export default pauseWhileHolding;
