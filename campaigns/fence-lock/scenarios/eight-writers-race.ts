import fc from 'fast-check';
import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { SessionRef } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { firstWrite, standAside } from './places.ts';

const SESSIONS = Array.from({ length: 9 }, (_, i): SessionRef => `s${i + 1}`);

/** What a takeover is made of: the look whether the holder is gone, and the removal of its name or its directory. */
const TAKEOVER = [
  { kind: 'kill', path: '*' },
  { kind: 'rmdir', path: 'holder-*' },
  { kind: 'rename', path: '*.lock' },
];

/** All of them have read the same count before they wait for the lock, so that of their writes one can be accepted. */
const eightWritersRace: Scenario = {
  name: 'eight-writers-race',
  title: 'The first of nine writers that gets the lock is killed, and the other eight, which hold the same count, race for it.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () => {
    const asides = fc
      .record({ session: fc.constantFrom(...SESSIONS), to: fc.constantFrom(...SESSIONS), operation: fc.constantFrom(...TAKEOVER) })
      .filter(({ session, to }) => session !== to)
      .map(({ session, to, operation }) => standAside(session, to, operation));
    return plan([at(firstWrite('holder'), { do: 'kill' }), fc.array(asides, { minLength: 1, maxLength: 4 })], SESSIONS.length);
  },
};

export default eightWritersRace;
