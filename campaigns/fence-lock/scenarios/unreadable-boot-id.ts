import fc from 'fast-check';
import { plan } from '../../../src/plan/arbitraries.ts';
import type { Scenario } from '../../../src/plan/scenario.ts';
import { castOf, firstWrite } from './places.ts';

const unreadableBootId: Scenario = {
  name: 'unreadable-boot-id',
  title: 'A holder is killed, and it or who wants the lock could not read the boot id.',
  drivers: ['sim'],
  trials: 3,
  aims: ['holding'],
  draw: () =>
    fc
      .tuple(fc.constantFrom(['h1', 'h1!'], ['h1!', 'h1'], ['h1!', 'h1!']), firstWrite('holder'))
      .chain(([hosts, where]) => plan([fc.constant({ where, action: { do: 'kill' } })], castOf(hosts))),
};

export default unreadableBootId;
