import { killIn, MOST, plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const killWhileHolding: Scenario = {
  name: 'kill-while-holding',
  title: 'The session is killed while it holds the lock, and leaves it behind.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => plan([killIn(golden, 's1', 'holding', MOST)]),
};

export default killWhileHolding;
