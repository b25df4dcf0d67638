import type { EntryOf, History } from './history.ts';
import type { Tenure } from './tenures.ts';

/** A durable event as it was first seen. */
export interface Sighting {
  id: string;
  ref: string;
  session: string | null;
  token: number | null;
  /** Index of the entry in which it was first seen: an `event`, or the last look. */
  index: number;
  t_ms: number;
}

/** Every durable event that was ever seen, in order of first sight. */
export function sightingsOf(history: Pick<History, 'entries'>): Sighting[] {
  const seen = new Map<string, Sighting>();
  for (const [index, entry] of history.entries.entries()) {
    const facts = entry.type === 'event' ? [entry] : entry.type === 'final' ? entry.events : [];
    for (const { id, ref, session = null, token = null } of facts)
      if (!seen.has(key(id, ref))) seen.set(key(id, ref), { id, ref, session, token, index, t_ms: entry.t_ms });
  }
  return [...seen.values()];
}

/** The events that stand at the end, in the order in which they are accepted; when there was no last look, in order of first sight. */
export function acceptedIn(history: Pick<History, 'entries'>): Sighting[] {
  const final = finalOf(history);
  const sightings = new Map(sightingsOf(history).map((sighting) => [key(sighting.id, sighting.ref), sighting]));
  if (final) {
    return final.events.map(({ id, ref, token }) => {
      const sighting = sightings.get(key(id, ref)) as Sighting;
      return { ...sighting, token: token ?? sighting.token };
    });
  }
  for (const entry of history.entries) if (entry.type === 'event-lost') sightings.delete(key(entry.id, entry.ref));
  return [...sightings.values()];
}

/** The ids of what stands at the end. What came and went, such as a temporary file, was on its way to a fact. */
export function factsIn(history: Pick<History, 'entries'>): Set<string> {
  return new Set(acceptedIn(history).map(({ id }) => id));
}

export function finalOf({ entries }: Pick<History, 'entries'>): EntryOf<'final'> | undefined {
  return entries.findLast((entry) => entry.type === 'final');
}

/** Who wrote a durable fact: the session that it names, or else the last that had held its token by then. */
export function writerOf(
  { session, token }: { session: string | null; token: number | null },
  tenures: Tenure[],
  index: number,
): string | null {
  if (session !== null) return session;
  if (token === null) return null;
  return tenures.findLast((tenure) => tenure.token === token && tenure.from <= index)?.session ?? null;
}

function key(id: string, ref: string): string {
  return `${ref}\n${id}`;
}
