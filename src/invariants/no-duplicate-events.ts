import { acceptedIn, type Sighting } from '../history/sightings.ts';
import type { Invariant } from './invariant.ts';
import { behind, plant, rereadFinal } from './planting.ts';
import { seconds } from './wording.ts';

const noDuplicateEvents: Invariant = {
  name: 'no-duplicate-events',
  title: 'No durable event stands in two places.',

  // An event that was moved from one file to another is seen twice for a moment: only what stands at the end is a duplicate.
  check(history) {
    const byId = Map.groupBy(acceptedIn(history), ({ id }) => id);
    return [...byId].flatMap(([id, copies]) => {
      const places = [...new Map(copies.map((copy) => [copy.ref, copy])).values()];
      if (places.length < 2) return [];
      return {
        message: `${id} is there ${places.length === 2 ? 'twice' : `${places.length} times`}: ${places.map(describe).join(' and ')}`,
        sessions: [...new Set(places.flatMap(({ session }) => session ?? []))],
        entries: places.map(({ index }) => index),
        site: `event in ${places.at(-1)?.ref}`,
      };
    });
  },

  forge(history) {
    const original = acceptedIn(history).at(-1);
    if (!original) return null;
    const { id, index } = original;
    const copy = { ...original, ref: `${original.ref}~copy` };
    const inFinal = rereadFinal(history, ({ events }) => {
      const event = events.find(({ ref }) => ref === original.ref);
      return event ? { events: behind(events, ({ ref }) => ref === original.ref, { ...event, ref: copy.ref }) } : {};
    });
    if (history.entries[index]?.type === 'final') return inFinal;
    return plant(inFinal, index + 1, { type: 'event', t_ms: original.t_ms, id, ref: copy.ref, session: copy.session, token: copy.token });
  },
};

function describe({ ref, session, t_ms }: Sighting): string {
  return `${ref}${session === null ? '' : ` by ${session}`} at ${seconds(t_ms)}`;
}

export default noDuplicateEvents;
