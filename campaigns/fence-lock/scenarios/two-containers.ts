import fc from 'fast-check';
import { plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite, shortPause } from './places.ts';

/** In the other container the holder's pid is nobody's, or somebody else's. */
const twoContainers: Scenario = {
  name: 'two-containers',
  title:
    'A holder is killed or stands still, and who wants the lock is in another container, of the same host name and another PID namespace.',
  drivers: ['sim'],
  trials: 3,
  aims: ['holding'],
  draw: (golden) => {
    const struck = fc.oneof(fc.constant<Fault['action']>({ do: 'kill' }), shortPause(golden));
    return plan([fc.tuple(firstWrite('holder'), struck).map(([where, action]) => ({ where, action }))], castOf(['h1/c1', 'h1/c2']));
  },
};

export default twoContainers;
