import fc from 'fast-check';
import { at, plan, whileTakingOver } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

/** So often each of the two gives way to the other. */
const TURNS = 3;

/** Whoever goes first by default goes all the way. Here they come to the same place, or to two, and from there take turns that may end before any operation. */
const raceForTheLock: Scenario = {
  name: 'race-for-the-lock',
  title: 'A session that comes for the lock waits on its way for a rival, and from there they take turns.',
  drivers: ['sim'],
  draw: (golden) =>
    fc.tuple(whileTakingOver(golden, 's1'), fc.option(whileTakingOver(golden, 's2'), { freq: 1 })).chain(([mine, other]) => {
      const until = other ?? { ...mine, session: 's2' as const };
      const meet: Fault[] = [
        { where: mine, action: { do: 'pause', until } },
        { where: mine, action: { do: 'rival' } },
      ];
      return plan([fc.constant(meet), turns(golden, 's1', 's2'), turns(golden, 's2', 's1')]);
    }),
};

function turns(golden: Golden, from: 's1' | 's2', to: 's1' | 's2'): fc.Arbitrary<Fault[]> {
  return fc.array(at(whileTakingOver(golden, from), { do: 'yield', to }), { minLength: TURNS, maxLength: TURNS });
}

export default raceForTheLock;
