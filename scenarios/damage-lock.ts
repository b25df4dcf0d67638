import fc, { type Arbitrary } from 'fast-check';
import { at, killIn, MOST, onceAcquired, placeIn, plan, ttls } from '../src/plan/arbitraries.ts';
import type { Action, Fault } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

const DAMAGES: Action[] = (['truncate', 'garbage', 'empty', 'remove'] as const).map((how) => ({ do: 'corrupt', how }));

/** What the lock remembered (who holds it, until when, under which token) is gone, and must not be made up. */
const damageLock: Scenario = {
  name: 'damage-lock',
  title: 'The lock is cut short, overwritten, emptied or removed: under a living holder, or when a dead one has left it behind.',
  aims: ['holding'],
  draw: (golden) => {
    const later = damage(ttls(golden, { from: 0.05, to: 0.5 }).map((ms) => ({ at: 'time', ms, since: 'last-fault' })));
    const killed = (kill: Arbitrary<Fault>) => plan([kill, later]);
    return fc.oneof(
      { weight: 1, arbitrary: plan([damage(placeIn(golden, 's1', 'holding', { from: 0.05, to: 0.8 }))]) },
      { weight: 1, arbitrary: killed(killIn(golden, 's1', 'holding', MOST)) },
      // Nobody but the lock remembers one that has not written anything yet.
      { weight: 2, arbitrary: killed(at(onceAcquired('s1'), { do: 'kill' })) },
    );
  },
};

function damage(places: Arbitrary<Fault['where']>): Arbitrary<Fault> {
  return fc.tuple(places, fc.constantFrom(...DAMAGES)).map(([where, action]) => ({ where, action }));
}

export default damageLock;
