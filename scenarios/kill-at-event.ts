import fc from 'fast-check';
import { plan } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** Not later: on the real clock a session may have ended by the time that its last events are seen. */
const LATEST = 0.7;

/** Places that every trial reaches, however fast or busy the machine is, and though nothing be known of the program. */
const killAtEvent: Scenario = {
  name: 'kill-at-event',
  title: 'The session is killed as soon as one of its events is seen.',
  draw: (golden) =>
    plan([
      fc
        .integer({ min: 1, max: Math.max(1, Math.floor(golden.events * LATEST)) })
        .map((n): Fault => ({ where: { at: 'event', session: 's1', n }, action: { do: 'kill' } })),
    ]),
};

export default killAtEvent;
