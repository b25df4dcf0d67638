import fc from 'fast-check';
import { at, beforeEvent, pauseUntil, placeToWrite, plan, sinceLastFault, ttls, whileTakingOver } from '../src/plan/arbitraries.ts';
import type { Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** What the holder writes then comes in the middle of what the rival does to shut it out, and nobody's step may count on both. */
const stallDuringTakeover: Scenario = {
  name: 'stall-during-takeover',
  title:
    'The holder is paused past its lease, a rival takes over and stops on its way, and the holder wakes up, writes, and may be the first to go on.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: (golden) =>
    whileTakingOver(golden, 's2').chain((stalled) => {
      const until: Place[] = [
        stalled,
        stalled,
        { at: 'lock', session: 's2', change: 'acquired', n: 1 },
        { at: 'event', session: 's2', n: 1 },
      ];
      const within = { from: 0, to: 0.9 };
      const holder = fc.oneof(beforeEvent(golden, 's1', within), placeToWrite(golden, 's1', 'holding', within));
      const rival = at(sinceLastFault(golden, { from: 1.05, to: 1.5 }), { do: 'rival' });
      const stall = ttls(golden, { from: 0.1, to: 1.5 }).chain((ms) => at(fc.constant(stalled), { do: 'pause', ms }));
      return plan([pauseUntil(holder, until), rival, stall]);
    }),
};

export default stallDuringTakeover;
