import fc from 'fast-check';
import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { SessionRef } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite, standAside } from './places.ts';

const SESSIONS: SessionRef[] = ['s1', 's2', 's3', 's4'];

/** Who has seen that the lock is stale acts on what it saw, and another may have been faster. A lock is removed by its directory, or by the name in it, or by moving it. */
const staleLock: Scenario = {
  name: 'stale-lock',
  title:
    'A holder is killed, three writers on other hosts wait until its lock is stale, and each lets the next one go first when it is about to remove it.',
  drivers: ['sim'],
  trials: 3,
  aims: ['holding'],
  draw: () =>
    plan(
      [
        at(firstWrite('holder'), { do: 'kill' }),
        fc.shuffledSubarray(SESSIONS, { minLength: SESSIONS.length }).map((order) =>
          order.flatMap((session, i) => {
            const next = order[(i + 1) % order.length] as SessionRef;
            return [standAside(session, next, { kind: 'rmdir', path: '*' }), standAside(session, next, { kind: 'rename', path: '*.lock' })];
          }),
        ),
      ],
      castOf(['h1', 'h2', 'h3', 'h4']),
    ),
};

export default staleLock;
