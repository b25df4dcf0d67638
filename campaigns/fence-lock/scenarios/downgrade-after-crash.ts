import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { firstWrite } from './places.ts';

const downgradeAfterCrash: Scenario = {
  name: 'downgrade-after-crash',
  title: 'A holder of the named lock is killed, and from then on all writers are of this lock.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () => plan([at(firstWrite('s1'), { do: 'kill' })], [{ subject: 'named' }, {}]),
};

export default downgradeAfterCrash;
