import { at, placeToWrite, plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** It is stolen early enough for the holder to have something left to write. */
const stealLock: Scenario = {
  name: 'steal-lock',
  title: 'The lock is stolen under a living holder, which must find out at its next write.',
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => plan([at(placeToWrite(golden, 's1', 'holding', { from: 0.05, to: 0.8 }), { do: 'steal' })]),
};

export default stealLock;
