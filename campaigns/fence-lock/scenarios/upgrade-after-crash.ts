import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { firstWrite } from './places.ts';

const upgradeAfterCrash: Scenario = {
  name: 'upgrade-after-crash',
  title: 'A holder of the unnamed lock is killed, and from then on all writers are of this lock.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () => plan([at(firstWrite('s1'), { do: 'kill' })], [{ subject: 'unnamed' }, {}]),
};

export default upgradeAfterCrash;
