import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite } from './places.ts';

const otherHost: Scenario = {
  name: 'other-host',
  title: 'A holder is killed, and who wants the lock is on another host, where nobody can know that it is dead.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: () => plan([at(firstWrite('holder'), { do: 'kill' })], castOf(['h1', 'h2'])),
};

export default otherHost;
