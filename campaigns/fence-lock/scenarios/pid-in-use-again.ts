import fc from 'fast-check';
import { at, plan } from '../../../src/plan/arbitraries.ts';
import type { Fault } from '../../../src/plan/plan.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { midWrite } from './places.ts';

const reuse: Fault = { where: { at: 'end', session: 's1' }, action: { do: 'reuse-pid' } };

const pidInUseAgain: Scenario = {
  name: 'pid-in-use-again',
  title: 'A holder is killed, and the next session gets its pid.',
  drivers: ['sim'],
  trials: 2,
  aims: ['holding'],
  draw: (golden) => plan([at(midWrite(golden, 's1'), { do: 'kill' }), fc.constant(reuse)]),
};

export default pidInUseAgain;
