import fc from 'fast-check';
import {
  at,
  beforeEvent,
  momentIn,
  onceAcquired,
  pauseUntil,
  placeToWrite,
  plan,
  sinceLastFault,
  whileTakingOver,
} from '../src/plan/arbitraries.ts';
import type { Fault, Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * Whatever the second was about to do to shut the first out, the third must do; and what the first writes late must count for nobody. The first still lives,
 * and wakes up in the middle of a write, or of its release: under the second, or only under the third.
 */
const killDuringTakeover: Scenario = {
  name: 'kill-during-takeover',
  title:
    'The holder is paused past its lease, a rival is killed while it takes over or soon after, a third takes over, and the holder wakes up.',
  drivers: ['sim'],
  aims: ['holding', 'acquiring', 'releasing'],
  draw: (golden) => {
    const until: Place[] = [
      { at: 'end', session: 's2' },
      { at: 'lock', session: 's3', change: 'acquired', n: 1 },
      { at: 'event', session: 's3', n: 1 },
      { at: 'end', session: 's3' },
    ];
    const within = { from: 0, to: 0.9 };
    const holder = fc.oneof(
      { weight: 4, arbitrary: beforeEvent(golden, 's1', within) },
      { weight: 3, arbitrary: placeToWrite(golden, 's1', 'holding', within) },
      // Its operations are the last, whose numbers move.
      { weight: 1, arbitrary: momentIn(golden, 's1', 'releasing', { from: 0, to: 0 }) },
    );
    const rival = at(sinceLastFault(golden, { from: 1.05, to: 1.5 }), { do: 'rival' });
    const killed = fc.oneof(
      { weight: 3, arbitrary: at(whileTakingOver(golden, 's2'), { do: 'kill' }) },
      { weight: 1, arbitrary: at(onceAcquired('s2'), { do: 'kill' }) },
    );
    const third: Fault = { where: { at: 'end', session: 's2' }, action: { do: 'rival' } };
    return plan([pauseUntil(holder, until), rival, killed, fc.constant(third)]);
  },
};

export default killDuringTakeover;
