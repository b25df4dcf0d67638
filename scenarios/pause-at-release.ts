import { at, momentIn, pauseUntil, plan, sinceLastFault } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** What it gives back when it wakes up is another's. */
const pauseAtRelease: Scenario = {
  name: 'pause-at-release',
  title:
    'The holder, with all its work done, is about to release the lock and sleeps past its lease, until a rival has taken over and is at work.',
  drivers: ['sim'],
  aims: ['releasing'],
  draw: (golden) => {
    const releasing = momentIn(golden, 's1', 'releasing', { from: 0, to: 0 });
    return plan([
      pauseUntil(releasing, [
        { at: 'lock', session: 's2', change: 'acquired', n: 1 },
        { at: 'event', session: 's2', n: 1 },
      ]),
      at(sinceLastFault(golden, { from: 0.3, to: 1.2 }), { do: 'rival' }),
    ]);
  },
};

export default pauseAtRelease;
