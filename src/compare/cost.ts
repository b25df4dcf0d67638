import type { Outcome } from './outcome.ts';
import type { Pair } from './pair.ts';

/** What the same work costs on each side, in operations on the state directory. */
export interface Cost {
  /** A kind of call, or `all`. */
  kind: string;
  perEvent: SideBySide;
  perAcquisition: SideBySide;
}

interface SideBySide {
  /** Null: there was nothing to divide by. */
  baseline: number | null;
  contender: number | null;
}

/** All operations first, then the kinds, dearest first. Null when the records don't count operations by kind: live ones see none, and older ones did not say. */
export function costsOf(pairs: Pair[]): Cost[] | null {
  const baseline = addUp(pairs.map((pair) => pair.baseline));
  const contender = addUp(pairs.map((pair) => pair.contender));
  if (baseline === null || contender === null) return null;
  const greater = (kind: string) => Math.max(baseline.byKind.get(kind) ?? 0, contender.byKind.get(kind) ?? 0);
  const kinds = [...new Set([...baseline.byKind.keys(), ...contender.byKind.keys()])];
  return kinds
    .toSorted((a, b) => greater(b) - greater(a) || (a < b ? -1 : 1))
    .map((kind) => ({
      kind,
      perEvent: { baseline: share(baseline, kind, 'events'), contender: share(contender, kind, 'events') },
      perAcquisition: { baseline: share(baseline, kind, 'acquisitions'), contender: share(contender, kind, 'acquisitions') },
    }));
}

interface Total {
  events: number;
  acquisitions: number;
  byKind: Map<string, number>;
}

function addUp(outcomes: Outcome[]): Total | null {
  const total: Total = { events: 0, acquisitions: 0, byKind: new Map([['all', 0]]) };
  const add = (kind: string, n: number) => total.byKind.set(kind, (total.byKind.get(kind) ?? 0) + n);
  for (const { events, acquisitions, operations, operationsByKind } of outcomes) {
    if (operationsByKind === null || acquisitions === null) return null;
    total.events += events;
    total.acquisitions += acquisitions;
    add('all', operations);
    for (const [kind, n] of Object.entries(operationsByKind)) add(kind, n);
  }
  return total.byKind.get('all') === 0 ? null : total;
}

function share({ byKind, ...total }: Total, kind: string, per: 'events' | 'acquisitions'): number | null {
  return total[per] === 0 ? null : (byKind.get(kind) ?? 0) / total[per];
}
