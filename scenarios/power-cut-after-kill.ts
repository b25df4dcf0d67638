import fc, { type Arbitrary } from 'fast-check';
import { MOST, operationOf, plan } from '../src/plan/arbitraries.ts';
import type { Fault } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

/** So many operations after a kill a successor has built on what it found. */
const SOON = 40;

/** The dead session's promises are kept, and those of its successor rest on what the dead one wrote: was that on disk? */
const powerCutAfterKill: Scenario = {
  name: 'power-cut-after-kill',
  title:
    'The holder is killed, as a rule before it syncs what it has written, and the power of the host fails under its successor, which has built on what was there.',
  drivers: ['sim'],
  draw: (golden) => {
    const kills = fc.oneof(
      { weight: 2, arbitrary: operationOf(golden, 'holder', 'before', MOST, ({ kind }) => kind === 'fsync' || kind === 'fdatasync') },
      { weight: 2, arbitrary: operationOf(golden, 'holder', 'after', MOST, ({ events }) => events > 0) },
      { weight: 1, arbitrary: operationOf(golden, 'holder', 'after', MOST) },
    );
    return kills.chain((where) => plan([fc.constant<Fault>({ where, action: { do: 'kill' } }), cutAfter(golden, where.n)]));
  },
};

/** Operations of whoever holds the lock are counted together: those of the successor come after. There are as many as the golden run had, and more. */
function cutAfter(golden: Golden, n: number): Arbitrary<Fault> {
  const held = golden.operations.filter(({ windows }) => windows.includes('holding')).length;
  const within = (most: number) =>
    fc
      .integer({ min: 1, max: most })
      .map((more) => ({ at: 'operation' as const, session: 'holder' as const, n: n + more, edge: 'before' as const }));
  return fc
    .oneof({ weight: 2, arbitrary: within(SOON) }, { weight: 1, arbitrary: within(Math.max(1, Math.floor(held * MOST.to) - n)) })
    .map((where) => ({ where, action: { do: 'power-cut' } }));
}

export default powerCutAfterKill;
