import fc from 'fast-check';
import { at, beforeHolding, killIn, onceAcquired, plan, sinceSpawn } from '../src/plan/arbitraries.ts';
import type { Place } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

/** The holder dies first, so that there is something to recover from; its successor dies before it has written anything new. */
const killDuringRecovery: Scenario = {
  name: 'kill-during-recovery',
  title: 'The holder is killed, and its successor is killed too before its first new durable event.',
  aims: ['recovering'],
  quotas: { recovering: 25 },
  draw: (golden) => plan([killIn(golden, 's1', 'holding', { from: 0, to: 0.8 }), at(whileRecovering(golden), { do: 'kill' })]),
};

function whileRecovering(golden: Golden): fc.Arbitrary<Place> {
  // A holder that renews in time leaves at least this much of its lease behind.
  const waiting = sinceSpawn(golden, 's2', { from: 0, to: 0.3 });
  const onItsWay = beforeHolding(golden, 's2');
  // Under a real clock the first event follows the acquisition too closely for a kill to come between them.
  if (!onItsWay) return waiting;
  return fc.oneof({ weight: 1, arbitrary: waiting }, { weight: 2, arbitrary: onItsWay }, { weight: 3, arbitrary: onceAcquired('s2') });
}

export default killDuringRecovery;
