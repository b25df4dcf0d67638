import { at } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite, planOf, stepAside } from './places.ts';

/** Who has seen that the lock is stale acts on what it saw, and another may have been faster. */
const staleLock: Scenario = {
  name: 'stale-lock',
  title: 'A holder is killed, and three writers, each on a host of its own, wait until its lock is stale, and race to remove it.',
  drivers: ['sim'],
  trials: 3,
  aims: ['holding'],
  draw: () =>
    planOf(
      castOf(['h1', 'h2', 'h3', 'h4']),
      at(firstWrite('holder'), { do: 'kill' }),
      stepAside(
        ['s1', 's2', 's3', 's4'],
        [
          { kind: 'rmdir', path: '*.lock' },
          { kind: 'rmdir', path: 'holder-*' },
          { kind: 'rename', path: '*.lock' },
        ],
      ),
    ),
};

export default staleLock;
