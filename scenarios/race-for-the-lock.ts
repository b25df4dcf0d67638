import fc from 'fast-check';
import { at, plan, ttls, whileTakingOver } from '../src/plan/arbitraries.ts';
import type { Fault, Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** Two places, of two sessions: a race that is won or lost in between can't be hit by one. Half of the time both stop at the same thing. */
const raceForTheLock: Scenario = {
  name: 'race-for-the-lock',
  title: 'A session that comes for the lock stops on its way until a rival has got so far, which then stops for a moment, or goes on.',
  drivers: ['sim'],
  draw: (golden) => {
    const rivals = fc.oneof(
      { weight: 3, arbitrary: whileTakingOver(golden, 's2') },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Place>({ at: 'lock', session: 's2', change: 'acquired', n: 1 }, { at: 'event', session: 's2', n: 1 }),
      },
    );
    const both = fc
      .tuple(whileTakingOver(golden, 's1'), fc.option(rivals, { freq: 1 }))
      .map(([mine, other]) => [mine, other ?? { ...mine, session: 's2' as const }] as const);
    return both.chain(([mine, other]) => {
      const stop: Fault = { where: mine, action: { do: 'pause', until: other } };
      const rival: Fault = { where: mine, action: { do: 'rival' } };
      const moment = ttls(golden, { from: 0.02, to: 0.5 }).chain((ms) => at(fc.constant(other), { do: 'pause', ms }));
      return plan([
        fc.constant([stop, rival]),
        fc.oneof(
          fc.constant<Fault[]>([]),
          moment.map((fault) => [fault]),
        ),
      ]);
    });
  },
};

export default raceForTheLock;
