import fc from 'fast-check';
import { parsePlan } from '../../src/plan/parse.ts';
import type { Scenario } from '../../src/plan/scenario.ts';

/** By then several trials have been told of. */
const powerCutInAppend: Scenario = {
  name: 'power-cut-in-append',
  title: 'The power fails while a record is written: it may be torn, and all before it must be there.',
  drivers: ['sim'],
  aims: ['holding'],
  draw: () =>
    fc
      .record({ n: fc.integer({ min: 3, max: 6 }), edge: fc.constantFrom('', '+') })
      .map(({ n, edge }) => parsePlan(`s1@write(trials.ndjson)#${n}${edge}:power-cut`)),
};

export default powerCutInAppend;
