import fc from 'fast-check';
import { at, MOST, operationOf, placeIn, plan, whileTakingOver } from '../src/plan/arbitraries.ts';
import type { Scenario } from '../src/plan/scenario.ts';

/**
 * A kill loses nothing that was written, so that it can't tell a missing fsync. Whoever was told of something that the cut takes back was told too early.
 * At any operation; two times of three at one that is chosen for what it is, as most are of one kind.
 */
const powerCut: Scenario = {
  name: 'power-cut',
  title: 'The power of the host fails at an operation, and what was not synced may be lost.',
  drivers: ['sim'],
  draw: (golden) => {
    const edge = fc.constantFrom('before' as const, 'after' as const);
    const places = fc.oneof(
      placeIn(golden, 's1', 'holding', MOST),
      edge.chain((edge) => operationOf(golden, 's1', edge, MOST)),
      whileTakingOver(golden, 's1'),
    );
    return plan([at(places, { do: 'power-cut' })]);
  },
};

export default powerCut;
