import type { Entry, EntryOf, History } from './history.ts';
import type { KillRecord } from './record.ts';
import { writerOf } from './sightings.ts';
import { type Tenure, tenuresOf } from './tenures.ts';

/**
 * What became of the trial after each kill, in order of the kills. All times in milliseconds of trial time.
 *
 * A kill is recovered from with the first *new* durable event of another session, new being an id that did not stand at that moment, so that neither
 * a duplicate nor an event moved to another file counts; or with a session that finds the work done. When a second kill comes in between, the first goes on
 * counting. `takeover_ms` is 0 when a living session held the lock already. `ttl_floor_ms` is all of the lease that was left, unless a successor did not wait for it.
 */
export function recoveriesOf(history: History): KillRecord[] {
  const { entries } = history;
  const tenures = tenuresOf(history);
  const ends = progressOf(entries, tenures);
  const last_ms = entries.at(-1)?.t_ms ?? 0;
  return entries.flatMap((kill, index) => {
    if (kill.type !== 'killed') return [];
    const end = ends.find((progress) => progress.index > index && progress.session !== kill.session);
    const recovery_ms = end ? since(kill, end) : null;
    const taken_ms = takeover(kill, index, entries, tenures);
    // Who finds the work done need not take the lock, and a lock taken after that is not part of the recovery.
    const takeover_ms = taken_ms === null || (recovery_ms !== null && taken_ms > recovery_ms) ? null : taken_ms;
    const censored_ms = recovery_ms === null ? since(kill, { t_ms: last_ms }) : null;
    return [
      {
        session: kill.session,
        t_ms: kill.t_ms,
        windows: kill.windows,
        operation: operationOf(kill, index, entries),
        left_lock_behind: kill.held_lock,
        takeover_ms,
        progress_ms: takeover_ms === null || recovery_ms === null ? null : round(recovery_ms - takeover_ms),
        recovery_ms,
        ttl_floor_ms: kill.held_lock ? floor(kill.lease_left_ms, takeover_ms ?? recovery_ms, censored_ms) : 0,
        censored_ms,
      },
    ];
  });
}

/** The moments at which somebody recovers: a new durable event, or a session that ends with the work done. */
function progressOf(entries: Entry[], tenures: Tenure[]): { index: number; t_ms: number; session: string | null }[] {
  const standing = new Map<string, Set<string>>();
  return entries.flatMap((entry, index) => {
    if (entry.type === 'end' && entry.code === 0) return [{ index, t_ms: entry.t_ms, session: entry.session }];
    if (entry.type === 'event-lost') standing.get(entry.id)?.delete(entry.ref);
    if (entry.type !== 'event') return [];
    const refs = standing.get(entry.id) ?? new Set();
    const isNew = refs.size === 0;
    standing.set(entry.id, refs.add(entry.ref));
    return isNew ? [{ index, t_ms: entry.t_ms, session: writerOf(entry, tenures, index) }] : [];
  });
}

function takeover(kill: EntryOf<'killed'>, index: number, entries: Entry[], tenures: Tenure[]): number | null {
  const held = tenures.findLast(({ from, to }) => from < index && (to === null || to > index));
  const isDead = (session: string) => entries.slice(0, index).some((entry) => entry.type === 'end' && entry.session === session);
  if (held && held.session !== null && held.session !== kill.session && !isDead(held.session)) return 0;
  const next = tenures.find(({ from, session }) => from > index && session !== kill.session && !isStolen(entries[from]));
  return next ? since(kill, entries[next.from] as Entry) : null;
}

function isStolen(entry: Entry | undefined): boolean {
  return entry?.type === 'lock' && entry.change === 'stolen';
}

/** `waited_ms`: how long a successor waited; null: none came. A lease that never expires (null) is no time to live. */
function floor(lease_left_ms: number | null, waited_ms: number | null, censored_ms: number | null): number {
  const left_ms = Math.max(0, lease_left_ms ?? 0);
  if (waited_ms !== null) return waited_ms >= left_ms ? round(left_ms) : 0;
  return round(Math.min(left_ms, censored_ms ?? 0));
}

/** A session dies once, so the fault on it that lies nearest is the one that killed it. */
function operationOf(kill: EntryOf<'killed'>, index: number, entries: Entry[]): string | null {
  const isItsFault = (entry: Entry) => entry.type === 'fault' && entry.session === kill.session && entry.phase !== 'failed';
  const after = entries.slice(index).find((entry) => isItsFault(entry) || (entry.type === 'end' && entry.session === kill.session));
  const fault = after?.type === 'fault' ? after : entries.slice(0, index).findLast(isItsFault);
  return fault?.type === 'fault' ? fault.operation : null;
}

function since(kill: EntryOf<'killed'>, { t_ms }: { t_ms: number }): number {
  return round(t_ms - kill.t_ms);
}

/** To microseconds, which is what entries are stamped with. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
