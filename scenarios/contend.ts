import fc from 'fast-check';
import { at, beforeClaiming, beforeHolding, killIn, plan } from '../src/plan/arbitraries.ts';
import type { Fault, SessionRef } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

const SESSIONS = 3;

const contend: Scenario = {
  name: 'contend',
  title: 'Three sessions want the lock, the one that holds it is killed, and the others race for what it left behind.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => plan([killHolder(golden), deviations(golden)], SESSIONS),
};

/** Whoever it is: who comes first is not said. */
function killHolder(golden: Golden): fc.Arbitrary<Fault> {
  const within = { from: 0, to: 0.8 };
  const holder = killIn(golden, 'holder', 'holding', within);
  if (golden.numbering === 'clock') return holder;
  const atEvent = fc
    .integer({ min: 1, max: Math.max(1, Math.floor(golden.events * within.to)) })
    .map((n): Fault => ({ where: { at: 'event', session: 'holder', n }, action: { do: 'kill' } }));
  return fc.oneof({ weight: 2, arbitrary: holder }, { weight: 1, arbitrary: atEvent });
}

/** Now and then a session that comes for the lock steps aside for another, most of all when it is about to change something: they start together. */
function deviations(golden: Golden): fc.Arbitrary<Fault[]> {
  const sessions = Array.from({ length: SESSIONS }, (_, i): SessionRef => `s${i + 1}`);
  const yields = sessions.flatMap((from) =>
    [beforeHolding(golden, from), beforeClaiming(golden, from)].flatMap((places) =>
      places ? sessions.filter((to) => to !== from).map((to) => at(places, { do: 'yield', to })) : [],
    ),
  );
  const one = yields.length > 0 ? fc.oneof(...yields).map((fault) => [fault]) : fc.constant<Fault[]>([]);
  return fc.oneof(fc.constant<Fault[]>([]), one);
}

export default contend;
