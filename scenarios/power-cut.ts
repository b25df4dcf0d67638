import fc, { type Arbitrary } from 'fast-check';
import { MOST, operationOf, placeIn, plan } from '../src/plan/arbitraries.ts';
import type { Fault, SessionRef } from '../src/plan/plan.ts';
import type { Golden, Scenario } from '../src/plan/scenario.ts';

/** A kill loses nothing that was written, so that it can't tell a missing fsync. Whoever was told of something that the cut takes back was told too early. */
const powerCut: Scenario = {
  name: 'power-cut',
  title:
    'The power of the host fails at an operation, and what was not synced may be lost: of one session, or of a dead one and its successor.',
  drivers: ['sim'],
  draw: (golden) =>
    fc.oneof(
      { weight: 2, arbitrary: plan([crash(golden, 's1', 'power-cut')]) },
      // Whichever session holds the lock by then: the later one has built on what the earlier one left.
      { weight: 1, arbitrary: plan([inOrder(crash(golden, 'holder', 'kill', 'power-cut'), crash(golden, 'holder', 'power-cut'))]) },
    ),
};

/** At any operation; every second time one that is chosen for what it is, as most are of one kind. */
function crash(golden: Golden, session: SessionRef, ...actions: ('kill' | 'power-cut')[]): Arbitrary<Fault> {
  const edge = fc.constantFrom('before' as const, 'after' as const);
  const places = fc.oneof(
    placeIn(golden, session, 'holding', MOST),
    edge.chain((edge) => operationOf(golden, session, edge, MOST)),
  );
  return fc.tuple(places, fc.constantFrom(...actions)).map(([where, what]) => ({ where, action: { do: what } }));
}

/** The one whose operation comes first is the first. One operation can't be the end of two sessions. */
function inOrder(...faults: [Arbitrary<Fault>, Arbitrary<Fault>]): Arbitrary<Fault[]> {
  const n = ({ where }: Fault) => (where.at === 'operation' ? where.n : 0);
  return fc
    .tuple(...faults)
    .filter(([one, other]) => n(one) !== n(other))
    .map(([one, other]) =>
      n(one) < n(other)
        ? [one, other]
        : [
            { ...one, where: other.where },
            { ...other, where: one.where },
          ],
    );
}

export default powerCut;
