import contend from '../../scenarios/contend.ts';
import cutConnection from '../../scenarios/cut-connection.ts';
import killWhileHolding from '../../scenarios/kill-while-holding.ts';
import partition from '../../scenarios/partition.ts';
import pausePastLease from '../../scenarios/pause-past-lease.ts';
import pauseWhileHolding from '../../scenarios/pause-while-holding.ts';
import serviceRestart from '../../scenarios/service-restart.ts';
import slowNetwork from '../../scenarios/slow-network.ts';
import stealLock from '../../scenarios/steal-lock.ts';
import { at, killIn, momentIn, plan } from '../../src/plan/arbitraries.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

/** A busy machine carries a fault out late, and a moment later the work may be done. */
const EARLY = { from: 0.05, to: 0.5 };

/** What shows itself in every trial needs few of them. */
export const scenarios: Scenario[] = [
  pausePastLease,
  { ...killWhileHolding, trials: 5, draw: (golden) => plan([killIn(golden, 's1', 'holding', EARLY)]) },
  { ...stealLock, trials: 5, draw: (golden) => plan([at(momentIn(golden, 's1', 'holding', EARLY), { do: 'steal' })]) },
  { ...contend, trials: 5, draw: (golden) => plan([killIn(golden, 'holder', 'holding', EARLY)], 3) },
  { ...pauseWhileHolding, trials: 3 },
  { ...serviceRestart, trials: 5 },
  { ...partition, trials: 5 },
  { ...cutConnection, trials: 3 },
  { ...slowNetwork, trials: 3 },
];
