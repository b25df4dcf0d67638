import fc from 'fast-check';
import { at, MOST, operationOf, plan } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/** What a killed session has written of a line or a file is what the next one finds there, and goes on behind. */
const tornWrite: Scenario = {
  name: 'torn-write',
  title: 'One write of the session stops after a part of its bytes, and the session is killed there.',
  drivers: ['sim'],
  draw: (golden) =>
    operationOf(golden, 's1', 'before', MOST, ({ bytes }) => bytes !== null && bytes > 1).chain((where) => {
      const all = golden.operations[where.n - 1]?.bytes ?? 0;
      return fc.integer({ min: 1, max: all - 1 }).chain((bytes) => plan([at(fc.constant(where), { do: 'tear', bytes })]));
    }),
};

export default tornWrite;
