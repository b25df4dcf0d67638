import fc from 'fast-check';
import { at, MOST, operationOf, pauseUntil, plan } from '../src/plan/arbitraries.ts';
import type { Place } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * What was true before it stood still need not be true when it goes on, and most of all when it is about to change something. This needs no lock: whoever has none must get by without.
 */
const stallBesideAnother: Scenario = {
  name: 'stall-beside-another',
  title:
    'A session stands still before an operation, another comes to do the same work, and when that has made some events, or has ended, the first goes on.',
  drivers: ['sim'],
  draw: (golden) => {
    const anywhere = operationOf(golden, 's1', 'before', MOST);
    const beforeAChange = operationOf(golden, 's1', 'before', MOST, ({ changes }) => changes);
    return fc.oneof({ weight: 2, arbitrary: beforeAChange }, { weight: 1, arbitrary: anywhere }).chain((where) => {
      const left = golden.operations.slice(where.n - 1).reduce((sum, { events }) => sum + events, 0);
      const events = Array.from({ length: left }, (_, index): Place => ({ at: 'event', session: 's2', n: index + 1 }));
      const here = fc.constant(where);
      return plan([pauseUntil(here, [...events, { at: 'end', session: 's2' }]), at(here, { do: 'rival' })]);
    });
  },
};

export default stallBesideAnother;
