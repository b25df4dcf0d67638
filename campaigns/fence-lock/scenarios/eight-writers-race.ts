import { at } from '../../../src/plan/arbitraries.ts';
import type { SessionRef } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { firstWrite, planOf, stepAside } from './places.ts';

const SESSIONS = Array.from({ length: 9 }, (_, i): SessionRef => `s${i + 1}`);

/** All of them have read the same count before they wait for the lock, so that of their writes one can be accepted. */
const eightWritersRace: Scenario = {
  name: 'eight-writers-race',
  title: 'The first of nine writers that gets the lock is killed, and the other eight, which hold the same count, race for it.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () =>
    planOf(
      SESSIONS.map(() => ({})),
      at(firstWrite('holder'), { do: 'kill' }),
      stepAside(SESSIONS, [
        { kind: 'kill', path: '*' },
        { kind: 'rmdir', path: 'holder-*' },
        { kind: 'rmdir', path: '*.lock' },
        { kind: 'rename', path: '*.lock' },
      ]),
    ),
};

export default eightWritersRace;
