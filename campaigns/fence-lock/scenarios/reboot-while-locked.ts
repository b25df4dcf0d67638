import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { midWrite } from './places.ts';

const rebootWhileLocked: Scenario = {
  name: 'reboot-while-locked',
  title: 'The machine is started anew while a writer holds the lock.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) => plan([at(midWrite(golden, 's1'), { do: 'reboot' })]),
};

export default rebootWhileLocked;
