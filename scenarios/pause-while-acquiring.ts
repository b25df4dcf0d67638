import { at, onTheWay, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * Whoever wants the lock looks at it and then acts on what it saw; here another comes in between. Each sleeps for less than half of a lease, so that whatever it holds on its way is its own all the
 * time: that two hold the lock then is nobody's fault but the lock's.
 */
const pauseWhileAcquiring: Scenario = {
  name: 'pause-while-acquiring',
  title: 'Two sessions come for the lock, and one of them is paused on its way, for less than half of a lease.',
  drivers: ['sim'],
  draw: (golden) => {
    const pause = ttls(golden, { from: 0.05, to: 0.45 }).chain((ms) => at(onTheWay(golden, 's1'), { do: 'pause', ms }));
    return plan([pause], 2);
  },
};

export default pauseWhileAcquiring;
