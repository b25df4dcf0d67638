import fc from 'fast-check';
import { plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { midWrite, shortPause } from './places.ts';

/** A process that stands still answers to no message, and is not gone. */
const liveHolder: Scenario = {
  name: 'live-holder',
  title: 'Three others want the lock while its holder stands still, for less than half of its lease.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) => plan([fc.tuple(midWrite(golden, 'holder'), shortPause(golden)).map(([where, action]) => ({ where, action }))], 4),
};

export default liveHolder;
