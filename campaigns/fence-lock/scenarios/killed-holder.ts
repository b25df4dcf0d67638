import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { midWrite } from './places.ts';

const killedHolder: Scenario = {
  name: 'killed-holder',
  title: 'A writer is killed while it holds the lock: before its event is there, or when it is there and not counted.',
  trials: 10,
  aims: ['holding'],
  quotas: { holding: 25 },
  draw: (golden) => plan([at(midWrite(golden, 's1'), { do: 'kill' })]),
};

export default killedHolder;
