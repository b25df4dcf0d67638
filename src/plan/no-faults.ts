import { plan } from './arbitraries.ts';
import type { Scenario } from './scenario.ts';

/** The golden run's and the null campaign's: what breaks here is broken without any fault. */
export const noFaults: Scenario = {
  name: 'no-faults',
  title: 'Nothing happens to a session that runs alone.',
  draw: () => plan([]),
};
