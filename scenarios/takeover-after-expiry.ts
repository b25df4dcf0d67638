import fc from 'fast-check';
import { at, placeToWrite, plan, sinceLastFault, ttls } from '../src/plan/arbitraries.ts';
import type { Action, Fault, Place } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

/** A pause is a fault of its own: no kill can bring a session back that believes that it still holds the lock. */
const takeoverAfterExpiry: Scenario = {
  name: 'takeover-after-expiry',
  title: 'The holder is paused past its lease, a rival takes over and works, and the holder wakes up and goes on to its next write.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => {
    const holder = placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.7 });
    const paused = fc.tuple(holder, pauses(golden)).map(([where, action]): Fault => ({ where, action }));
    return plan([paused, at(sinceLastFault(golden, { from: 1.05, to: 1.5 }), { do: 'rival' })]);
  },
};

/** Until the rival, which is the second session, has come so far; or for a time that it can't be told how far. */
function pauses(golden: Golden): fc.Arbitrary<Action> {
  const until: Place[] = [
    { at: 'lock', session: 's2', change: 'acquired', n: 1 },
    { at: 'event', session: 's2', n: 1 },
    { at: 'event', session: 's2', n: 2 },
    { at: 'end', session: 's2' },
  ];
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...until).map((place): Action => ({ do: 'pause', until: place })) },
    { weight: 1, arbitrary: ttls(golden, { from: 1.6, to: 3 }).map((ms): Action => ({ do: 'pause', ms })) },
  );
}

export default takeoverAfterExpiry;
