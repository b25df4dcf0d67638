import { at, pauseUntil, placeToWrite, plan, sinceLastFault } from '../src/plan/arbitraries.ts';
import type { Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** It sleeps until the rival, which is the second session, is seen to have come so far: a time would be too short on a slow machine, and would prove nothing. */
const UNTIL: Place[] = [
  { at: 'lock', session: 's2', change: 'acquired', n: 1 },
  { at: 'event', session: 's2', n: 1 },
  { at: 'event', session: 's2', n: 2 },
];

const pausePastLease: Scenario = {
  name: 'pause-past-lease',
  title: 'The holder is paused until its lease has run out and a rival has taken over, and wakes up while the rival works.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => {
    const holder = placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.5 });
    return plan([pauseUntil(holder, UNTIL), at(sinceLastFault(golden, { from: 0.3, to: 1.2 }), { do: 'rival' })]);
  },
};

export default pausePastLease;
