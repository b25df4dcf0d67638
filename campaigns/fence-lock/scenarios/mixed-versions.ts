import fc from 'fast-check';
import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { firstWrite } from './places.ts';

/** In the cast, a session without a subject is one of the lock that the trial is about. */
const mixedVersions: Scenario = {
  name: 'mixed-versions',
  title: 'A holder of the named lock is killed, a writer of this lock wants it, and after a while comes a writer of the named lock.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) => {
    const late = fc
      .integer({ min: golden.ttl_ms * 1.5, max: golden.ttl_ms * 2 })
      .map((ms): Fault => ({ where: { at: 'operation', session: 's3', n: 1, edge: 'before' }, action: { do: 'pause', ms } }));
    return plan([at(firstWrite('s1'), { do: 'kill' }), late], [{ subject: 'named' }, {}, { subject: 'named' }]);
  },
};

export default mixedVersions;
