import { at, momentIn, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const serviceRestart: Scenario = {
  name: 'service-restart',
  title: 'The service that keeps the lock is killed while one session holds it and another waits for it, and is started again.',
  drivers: ['live'],
  aims: ['holding'],
  draw: (golden) => {
    const outage = ttls(golden, { from: 0.05, to: 0.4 }).chain((ms) =>
      at(momentIn(golden, 'holder', 'holding', { from: 0.1, to: 0.5 }), { do: 'outage', ms }),
    );
    return plan([outage], 2);
  },
};

export default serviceRestart;
