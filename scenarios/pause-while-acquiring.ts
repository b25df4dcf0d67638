import fc from 'fast-check';
import { beforeClaiming, beforeHolding, neverIn, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * Whoever wants the lock looks at it and then acts on what it saw; here another comes in between. It sleeps for less than half of a lease, so that whatever it holds on its way stays its own: that two
 * hold the lock then is nobody's fault but the lock's. The rival is started where it sleeps: until then it is alone, and comes as far as the golden run did.
 */
const pauseWhileAcquiring: Scenario = {
  name: 'pause-while-acquiring',
  title: 'A session that comes for the lock is paused on its way, for less than half of a lease, and a rival comes meanwhile.',
  drivers: ['sim'],
  draw: (golden) => {
    const onItsWay = [beforeHolding(golden, 's1'), beforeClaiming(golden, 's1')].flatMap((places) => places ?? []);
    if (onItsWay.length === 0) return neverIn(golden, 'acquiring');
    const meet = fc.tuple(fc.oneof(...onItsWay), ttls(golden, { from: 0.05, to: 0.45 })).map(([where, ms]): Fault[] => [
      { where, action: { do: 'pause', ms } },
      { where, action: { do: 'rival' } },
    ]);
    return plan([meet]);
  },
};

export default pauseWhileAcquiring;
