import type { Entry, History } from '../../history/history.ts';
import type { Violation } from '../../history/record.ts';
import { tenuresOf, theftsOf } from '../../history/tenures.ts';

/** Of a session that goes on for long, the first and the last deeds are told: how it began, and what led to the end. */
const FIRST_DEEDS = 20;
const LAST_DEEDS = 60;

/**
 * The operations that decide how a trial ends, by index: what a session changed, and what failed under it, from the blow that it took until it
 * died of it, or until the last proof against it. A blow is a fault that was delivered to it, or the loss of the lock while it lived.
 * A session that comes through and breaks nothing has decided nothing.
 */
export function decisiveIn(history: History, violations: Violation[]): Set<number> {
  const { entries } = history;
  const blows = [
    ...entries.flatMap((entry, at) =>
      entry.type === 'fault' && entry.phase === 'delivered' && entry.session !== null ? [{ session: entry.session, at }] : [],
    ),
    ...theftsOf(tenuresOf(history)).map(({ session, to }) => ({ session, at: to })),
  ];
  const from = new Map<string, number>();
  for (const { session, at } of blows) from.set(session, Math.min(at, from.get(session) ?? at));

  return new Set(
    [...from].flatMap(([session, start]) => {
      const end = endOf(session, entries, violations);
      const deeds = entries.flatMap((entry, i) => (i > start && i <= end && isDeed(entry, session) ? i : []));
      return deeds.filter((_, i) => i < FIRST_DEEDS || i >= deeds.length - LAST_DEEDS);
    }),
  );
}

function endOf(session: string, entries: Entry[], violations: Violation[]): number {
  const end = entries.findIndex((entry) => entry.type === 'end' && entry.session === session);
  const { asked = true, code = 0 } = entries[end]?.type === 'end' ? entries[end] : {};
  if (!asked && code !== 0) return end;
  return Math.max(-1, ...violations.filter(({ sessions }) => sessions.includes(session)).flatMap(({ entries }) => entries));
}

function isDeed(entry: Entry, session: string): boolean {
  return entry.type === 'operation' && entry.session === session && (entry.changes || entry.error !== undefined);
}
