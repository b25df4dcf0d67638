import type { Entry, EntryOf } from '../history/history.ts';
import { acceptedIn, finalOf } from '../history/sightings.ts';
import type { Invariant } from './invariant.ts';
import { plant, rereadFinal } from './planting.ts';
import { seconds } from './wording.ts';

/**
 * That it is there at the end is not enough. A successor that does the work again writes what was lost once more, and whoever was told of it in between was told
 * a lie. Under live nobody sees every moment, so there it is only asked of the end.
 */
const noLostAcks: Invariant = {
  name: 'no-lost-acks',
  title: 'Every event that the outside world was told to be durable is there when it is told, and from then on.',

  check(history) {
    const { entries, trial } = history;
    const atEnd = new Set(acceptedIn(history).map(({ id }) => id));
    const places = new Map<string, Set<string>>();
    const acked = new Map<string, number>();
    const broken = new Map<string, number>();
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'event') places.set(entry.id, (places.get(entry.id) ?? new Set()).add(entry.ref));
      if (entry.type === 'event-lost') places.get(entry.id)?.delete(entry.ref);
      if (entry.type === 'said' && entry.say === 'ack' && !acked.has(entry.text)) acked.set(entry.text, index);
      const id = entry.type === 'event-lost' ? entry.id : entry.type === 'said' && entry.say === 'ack' ? entry.text : null;
      if (id === null || !acked.has(id) || places.get(id)?.size || broken.has(id)) continue;
      if (entry.type === 'said' || !isBeingRewritten(entries, index, id)) broken.set(id, index);
    }
    return [...acked].flatMap(([id, index]) => {
      const at = broken.get(id);
      const isThere = atEnd.has(id);
      if (isThere && (at === undefined || trial.driver === 'live')) return [];
      const ack = entries[index] as EntryOf<'said'> & { t_ms: number };
      const lost = entries.findLastIndex((entry, i) => i > index && entry.type === 'event-lost' && entry.id === id);
      const lostEntry = entries[isThere && at !== undefined ? at : lost];
      const gone = lostEntry?.type === 'event-lost' ? lostEntry : null;
      const fate = isThere
        ? gone
          ? `was gone from ${gone.ref} at ${seconds(gone.t_ms)}, until it was written again`
          : 'was not there then'
        : `is not there at the end: ${gone ? `gone from ${gone.ref} since ${seconds(gone.t_ms)}` : 'never seen'}`;
      return {
        message: `${ack.session} acknowledged ${id} at ${seconds(ack.t_ms)}, and it ${fate}`,
        sessions: [ack.session],
        entries: [...new Set([index, isThere ? (at ?? index) : lost])].filter((entry) => entry >= 0),
        site: gone ? `event in ${gone.ref}` : isThere ? 'event told of too early' : 'event never seen',
      };
    });
  },

  forge(history) {
    const final = history.entries.findLastIndex((entry) => entry.type === 'final');
    const there = acceptedIn(history);
    const acked = history.entries.find(
      (entry) => entry.type === 'said' && entry.say === 'ack' && there.some(({ id }) => id === entry.text),
    );
    if (acked?.type !== 'said' || !finalOf(history)) return null;
    const t_ms = history.entries[final]?.t_ms ?? 0;
    const gone = there.filter(({ id }) => id === acked.text).map(({ id, ref }) => ({ type: 'event-lost' as const, t_ms, id, ref }));
    const without = rereadFinal(history, ({ events }) => ({ events: events.filter(({ id }) => id !== acked.text) }));
    return plant(without, final, ...gone);
  },
};

/** A file that is emptied and at once written anew has lost nothing while its writer lives and does nothing else. What a crash makes of that moment is another matter. */
function isBeingRewritten(entries: Entry[], lost: number, id: string): boolean {
  const emptied = entries.slice(0, lost).findLast((entry) => entry.type === 'operation');
  if (!emptied) return false;
  for (const entry of entries.slice(lost + 1)) {
    if (entry.type === 'event' && entry.id === id) return true;
    const isPartOfIt = entry.type === 'operation' && entry.session === emptied.session && entry.path === emptied.path;
    if (!isPartOfIt && entry.type !== 'event' && entry.type !== 'event-lost') return false;
  }
  return false;
}

export default noLostAcks;
