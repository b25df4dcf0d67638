import fc from 'fast-check';
import { MOST, operationOf, pauseUntil, plan } from '../src/plan/arbitraries.ts';
import type { Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** What was true before one of them stood still need not be true when it goes on. It needs no lock: whoever has none must get by without. */
const stallBesideAnother: Scenario = {
  name: 'stall-beside-another',
  title: 'Two sessions do the same work at once, and one stands still before an operation until the other has made an event, or has ended.',
  drivers: ['sim'],
  draw: (golden) => {
    const stalled = operationOf(golden, 's1', 'before', MOST);
    const events = Array.from({ length: golden.events }, (_, index): Place => ({ at: 'event', session: 's2', n: index + 1 }));
    return plan([fc.oneof(pauseUntil(stalled, events), pauseUntil(stalled, [{ at: 'end', session: 's2' }]))], 2);
  },
};

export default stallBesideAnother;
