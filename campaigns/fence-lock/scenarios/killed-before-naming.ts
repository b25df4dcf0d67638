import { plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { writeBeforeLast } from './places.ts';

/** The lock is there from the moment at which its directory is, and what says whose it is can only be put into it after that. */
const killedBeforeNaming: Scenario = {
  name: 'killed-before-naming',
  title: 'A holder is killed in the instant in which it gets the lock, which carries no name yet.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) =>
    plan([
      writeBeforeLast(golden).map((n): Fault => ({ where: { at: 'lock', session: 's1', change: 'acquired', n }, action: { do: 'kill' } })),
    ]),
};

export default killedBeforeNaming;
