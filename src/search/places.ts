import { posix } from 'node:path';
import type { EntryOf, History, Operation } from '../history/history.ts';
import { openWindows } from '../history/windows.ts';
import { generalise } from '../judge/fingerprint.ts';
import type { LockAdapter } from '../locks/lock.ts';
import type { Place, SessionRef } from '../plan/plan.ts';

/** A place at which it can matter which session goes first: before an operation that conflicts with what another does. */
export interface SchedulePlace {
  where: Extract<Place, { at: 'operation' }>;
  /** Operation site × window, e.g. `rmdir ledger.lock while holding+releasing`: what is alike in places of the same. */
  pair: string;
  /** Whether the operation changed something: who acts on what has changed meanwhile does the harm. */
  changes: boolean;
  /** The living sessions with which it conflicts, and how far they had come. */
  others: { session: SessionRef; acquired: number; events: number }[];
}

/**
 * The places of a history, from an entry on. Two operations conflict when they are done by different sessions on the same path, or one of them on the directory of
 * the other's, and at least one changed it. Places of a session that nothing tells apart (the same operation in the same window, with nothing changed
 * in between by anybody) are one.
 */
export function placesOf(history: History, lock: LockAdapter, from: number): SchedulePlace[] {
  const { entries, trial } = history;
  const windows = openWindows(trial.driver);
  const footprints = footprintsOf(history);
  const alive = new Map<string, { acquired: number; events: number }>();
  const numbers = new Map<string, number>();
  const seen = new Set<string>();
  let changes = 0;
  return entries.flatMap((entry, index): SchedulePlace[] => {
    const places = entry.type === 'operation' ? placeAt(entry, index) : [];
    windows.observe(entry);
    if (entry.type === 'spawn') alive.set(entry.session, { acquired: 0, events: 0 });
    if (entry.type === 'end') alive.delete(entry.session);
    const life = 'session' in entry && entry.session !== null ? alive.get(entry.session) : undefined;
    if (life && entry.type === 'event') life.events += 1;
    if (life && entry.type === 'lock' && entry.change === 'acquired') life.acquired += 1;
    if (entry.type === 'operation' && changed(entry)) changes += 1;
    return places;
  });

  /** Counts from the beginning, as the place will be counted. */
  function count(...what: [session: string, kind: string, path: string]): number {
    const key = JSON.stringify(what);
    const n = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, n);
    return n;
  }

  function placeAt(operation: EntryOf<'operation'>, index: number): SchedulePlace[] {
    const { kind, path, session, error } = operation;
    const n = count(session, kind, path);
    // A glob without a slash means files of that name in any directory.
    if (path.includes('/')) count(session, kind, posix.basename(path));
    if (index < from) return [];
    const others = [...alive].filter(([other]) => other !== session && conflict(operation, footprints.get(other)));
    if (others.length === 0) return [];
    const releasing = operation.lock && lock.releases?.(operation) === true;
    const site = generalise(`${kind} ${path}${error === undefined ? '' : ` (${error})`}`);
    const pair = `${site} while ${windows.of(session, { ...operation, releasing }).join('+')}`;
    if (seen.has(JSON.stringify([session, pair, changes]))) return [];
    seen.add(JSON.stringify([session, pair, changes]));
    return [
      {
        where: placeOf(operation, n),
        pair,
        changes: changed(operation),
        others: others.map(([other, { acquired, events }]) => ({ session: other as SessionRef, acquired, events })),
      },
    ];
  }
}

/** Where a session has been: what it touched, what it changed, and the directories of what it changed. */
interface Footprint {
  touched: Set<string>;
  changed: Set<string>;
  changedIn: Set<string>;
}

function footprintsOf({ entries }: History): Map<string, Footprint> {
  const footprints = new Map<string, Footprint>();
  for (const entry of entries) {
    if (entry.type !== 'operation') continue;
    const print = footprints.get(entry.session) ?? { touched: new Set(), changed: new Set(), changedIn: new Set() };
    footprints.set(entry.session, print);
    for (const path of pathsOf(entry)) {
      print.touched.add(path);
      if (!changed(entry)) continue;
      print.changed.add(path);
      print.changedIn.add(posix.dirname(path));
    }
  }
  return footprints;
}

function conflict(operation: Operation, other: Footprint | undefined): boolean {
  if (!other) return false;
  return pathsOf(operation).some((path) =>
    changed(operation)
      ? other.touched.has(path) || other.touched.has(posix.dirname(path))
      : other.changed.has(path) || other.changedIn.has(path),
  );
}

/** An operation that failed has changed nothing. */
function changed({ changes, error }: Operation): boolean {
  return changes && error === undefined;
}

function pathsOf({ path, to }: Operation): string[] {
  return to === undefined ? [path] : [path, to];
}

/** By what it is where that can be said, since after an earlier deviation the session has done more or fewer operations before it. */
function placeOf({ session, kind, path, n }: EntryOf<'operation'>, nOfKind: number): SchedulePlace['where'] {
  const place = { at: 'operation', session: session as SessionRef, edge: 'before' } as const;
  return /^[\w./-]+$/.test(path) && path !== '.' ? { ...place, kind, path, n: nOfKind } : { ...place, n };
}
