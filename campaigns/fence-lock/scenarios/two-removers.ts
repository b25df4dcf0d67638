import fc from 'fast-check';
import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Fault, SessionRef } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite, latecomers, standAside } from './places.ts';

const STALE_NAME = { kind: 'rmdir', path: 'holder-*' };

/**
 * Whoever is first to see that the lock is stale stands aside just before it removes it. The other removes it, makes its own, and is held up for an instant before it has put its
 * name into that. No schedule comes to this by itself.
 */
const twoRemovers: Scenario = {
  name: 'two-removers',
  title: 'A holder is killed, and two writers on other hosts remove its stale lock, the second when the first has just made its own.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () => {
    const heldUp = fc.integer({ min: 1, max: 50 }).map((ms) => [beforeNaming('s2', ms), beforeNaming('s3', ms)]);
    return plan(
      [
        fc.constant(latecomers(['s2', 's3'])),
        at(firstWrite('s1'), { do: 'kill' }),
        fc.constant([standAside('s2', 's3', STALE_NAME), standAside('s3', 's2', STALE_NAME)]),
        heldUp,
      ],
      castOf(['h1', 'h2', 'h3']),
    );
  },
};

function beforeNaming(session: SessionRef, ms: number): Fault {
  return { where: { at: 'operation', session, kind: 'mkdir', path: 'holder-*', n: 1, edge: 'before' }, action: { do: 'pause', ms } };
}

export default twoRemovers;
