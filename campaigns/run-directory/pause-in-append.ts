import fc from 'fast-check';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

/** No check of the lock helps a holder that is paused behind it: the files must shut it out. */
const pauseInAppend: Scenario = {
  name: 'pause-in-append',
  title:
    'The holder is paused between its check of the lock and its append, and wakes up when another has taken over, has appended, or is done.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: () =>
    fc
      .record({ n: fc.integer({ min: 1, max: 5 }), until: fc.constantFrom('s2@acquired#1', 's2@event#1', 's2@event#2', 's2@end') })
      .map(({ n, until }) => parsePlan(`s1@write(trials.ndjson)#${n}:pause=until:${until}  t=+40s:rival`)),
};

export default pauseInAppend;
