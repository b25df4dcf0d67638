import { at, momentIn, plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** Its work is done and told of: it has nothing left to lose but a lock that is not its own any more. */
const stealAtRelease: Scenario = {
  name: 'steal-at-release',
  title: 'The lock is stolen when its holder, with all its work done, is about to release it.',
  drivers: ['sim'],
  aims: ['releasing'],
  draw: (golden) => plan([at(momentIn(golden, 's1', 'releasing', { from: 0, to: 0 }), { do: 'steal' })]),
};

export default stealAtRelease;
