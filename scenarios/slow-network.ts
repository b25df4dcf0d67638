import { at, momentIn, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const slowNetwork: Scenario = {
  name: 'slow-network',
  title: 'What the holder and the service send arrives late, by up to an eighth of a lease, and another waits for the lock.',
  drivers: ['live'],
  aims: ['holding'],
  draw: (golden) => {
    const slow = ttls(golden, { from: 0.01, to: 0.12 }).chain((by_ms) =>
      at(momentIn(golden, 'holder', 'holding', { from: 0, to: 0.4 }), { do: 'delay', ms: golden.ttl_ms, by_ms }),
    );
    return plan([slow], 2);
  },
};

export default slowNetwork;
