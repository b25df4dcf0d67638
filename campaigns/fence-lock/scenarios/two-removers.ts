import fc from 'fast-check';
import type { Fault, Place } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { afterFirst, castOf, firstWrite, planOf } from './places.ts';

/**
 * One has seen that the lock is stale, and is about to remove it; meanwhile the other removes it, makes its own, and is held up for an instant before it has put its name into it.
 * No schedule comes to that by itself.
 */
const twoRemovers: Scenario = {
  name: 'two-removers',
  title: 'A holder is killed, and two writers on other hosts remove its stale lock, the second where the first has just made its own.',
  drivers: ['sim'],
  trials: 4,
  aims: ['holding'],
  draw: () => {
    const nameless: Place = { at: 'lock', session: 's1', change: 'acquired', n: 1 };
    const named = firstWrite('s1');
    return fc
      .oneof(fc.tuple(named, fc.constant('holder-*')), fc.tuple(fc.constant(nameless), fc.constant('*.lock')))
      .chain(([where, removed]) => {
        const kill: Fault = { where, action: { do: 'kill' } };
        const slow: Fault = {
          where: { at: 'operation', session: 's2', kind: 'rmdir', path: removed, n: 1, edge: 'before' },
          action: { do: 'yield', to: 's3' },
        };
        const heldUp = fc.integer({ min: 1, max: 50 }).map(
          (ms): Fault => ({
            where: { at: 'operation', session: 's3', kind: 'mkdir', path: 'holder-*', n: 1, edge: 'before' },
            action: { do: 'pause', ms },
          }),
        );
        return planOf(castOf(['h1', 'h2', 'h3']), fc.constant([...afterFirst('s1', ['s2', 's3']), kill, slow]), heldUp);
      });
  },
};

export default twoRemovers;
