import fc from 'fast-check';
import { at, beforeHolding, momentIn, onceAcquired, placeToWrite, plan, sinceLastFault } from '../src/plan/arbitraries.ts';
import type { Fault, Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * Whatever the second was about to do to shut the first out, the third must do; and what the first writes late must count for nobody. The first still lives,
 * and wakes up in the middle of a write: under the second, or only under the third.
 */
const killDuringTakeover: Scenario = {
  name: 'kill-during-takeover',
  title:
    'The holder is paused past its lease, a rival is killed while it takes over or soon after, a third takes over, and the holder wakes up.',
  drivers: ['sim'],
  aims: ['holding', 'acquiring'],
  draw: (golden) => {
    const until: Place[] = [
      { at: 'lock', session: 's2', change: 'acquired', n: 1 },
      { at: 'lock', session: 's3', change: 'acquired', n: 1 },
      { at: 'event', session: 's3', n: 1 },
      { at: 'end', session: 's3' },
    ];
    const holder = placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.7 });
    const paused = fc.tuple(holder, fc.constantFrom(...until)).map(([where, until]): Fault => ({ where, action: { do: 'pause', until } }));
    const rival = at(sinceLastFault(golden, { from: 1.05, to: 1.5 }), { do: 'rival' });
    const takingOver = beforeHolding(golden, 's2') ?? onceAcquired('s2');
    const killed = fc.oneof(
      { weight: 2, arbitrary: at(takingOver, { do: 'kill' }) },
      { weight: 1, arbitrary: at(momentIn(golden, 's2', 'holding', { from: 0, to: 0.2 }), { do: 'kill' }) },
    );
    const third: Fault = { where: { at: 'end', session: 's2' }, action: { do: 'rival' } };
    return plan([paused, rival, killed, fc.constant(third)]);
  },
};

export default killDuringTakeover;
