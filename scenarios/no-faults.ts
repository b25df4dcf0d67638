import { plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** The null campaign's: what breaks here is broken without any fault. */
const noFaults: Scenario = {
  name: 'no-faults',
  title: 'Nothing happens to a session that runs alone.',
  draw: () => plan([]),
};

export default noFaults;
