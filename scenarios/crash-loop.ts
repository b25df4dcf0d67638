import fc from 'fast-check';
import { at, beforeHolding, killIn, momentIn, onceAcquired, plan, sinceSpawn } from '../src/plan/arbitraries.ts';
import type { Fault, SessionRef } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

const KILLS_MAX = 5;

/** However far each session comes, together they get no further than three quarters of the work: there is always one more to kill. */
const crashLoop: Scenario = {
  name: 'crash-loop',
  title: `Two to ${KILLS_MAX} sessions in a row are killed on one state directory, waiting for the lock or working.`,
  quotas: { recovering: 15 },
  draw: (golden) => {
    const successors = fc.integer({ min: 2, max: KILLS_MAX }).chain((kills) => {
      const sessions = Array.from({ length: kills - 1 }, (_, i): SessionRef => `s${i + 2}`);
      return fc.tuple(...sessions.map((session) => killEarly(golden, session)));
    });
    return plan([killIn(golden, 's1', 'holding', { from: 0, to: 0.3 }), successors]);
  },
};

function killEarly(golden: Golden, session: SessionRef): fc.Arbitrary<Fault> {
  const onItsWay = beforeHolding(golden, session) ?? sinceSpawn(golden, session, { from: 0, to: 0.3 });
  const atWork = momentIn(golden, session, 'holding', { from: 0, to: 0.1 });
  return at(fc.oneof(onItsWay, onceAcquired(session), atWork), { do: 'kill' });
}

export default crashLoop;
