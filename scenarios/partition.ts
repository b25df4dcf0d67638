import fc from 'fast-check';
import { at, momentIn, plan, sinceLastFault, ttls } from '../src/plan/arbitraries.ts';
import type { Action } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const partition: Scenario = {
  name: 'partition',
  title:
    'Nothing that the holder and the service send arrives, in one direction or both, until its lease has run out; and then all of it does.',
  drivers: ['live'],
  aims: ['holding'],
  draw: (golden) => {
    const directions = fc.constantFrom('both' as const, 'to-service' as const, 'from-service' as const);
    const away = fc.tuple(ttls(golden, { from: 1.6, to: 2.2 }), directions).chain(([ms, direction]) => {
      const action: Action = { do: 'partition', ms, direction };
      return at(momentIn(golden, 's1', 'holding', { from: 0.05, to: 0.5 }), action);
    });
    return plan([away, at(sinceLastFault(golden, { from: 0.1, to: 0.8 }), { do: 'rival' })]);
  },
};

export default partition;
