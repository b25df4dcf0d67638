import { at, momentIn, plan, sinceLastFault, ttls } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const cutConnection: Scenario = {
  name: 'cut-connection',
  title: "The holder's connections to the service are reset, for less than a lease none is made, and a rival comes for the lock meanwhile.",
  drivers: ['live'],
  aims: ['holding'],
  draw: (golden) => {
    const cut = ttls(golden, { from: 0.05, to: 0.4 }).chain((ms) =>
      at(momentIn(golden, 's1', 'holding', { from: 0.05, to: 0.5 }), { do: 'cut', ms }),
    );
    return plan([cut, at(sinceLastFault(golden, { from: 0, to: 0.3 }), { do: 'rival' })]);
  },
};

export default cutConnection;
