import { wasFinished } from '../../src/history/ends.ts';
import type { EntryOf } from '../../src/history/history.ts';
import { acceptedIn } from '../../src/history/sightings.ts';
import type { Invariant } from '../../src/invariants/invariant.ts';
import { plant } from '../../src/invariants/planting.ts';
import { seconds } from '../../src/invariants/wording.ts';

/** A writer that has checked the count while another is about to publish overwrites the other's event, or is overwritten by it. */
const oneWritePerCount: Invariant = {
  name: 'one-write-per-count',
  title:
    'Of writers that hold one count exactly one is accepted: under each number there is one event, from the first on and without a gap, and none is ever replaced.',

  check(history) {
    const first = new Map<string, { id: string; index: number }>();
    const replaced = history.entries.flatMap((entry, index) => {
      if (entry.type !== 'event') return [];
      const before = first.get(entry.ref);
      if (!before) first.set(entry.ref, { id: entry.id, index });
      if (!before || before.id === entry.id) return [];
      return {
        message: `${entry.ref} was ${before.id} since ${seconds(history.entries[before.index]?.t_ms ?? 0)}, and is ${entry.id} since ${seconds(entry.t_ms)}`,
        sessions: [...new Set([(history.entries[before.index] as EntryOf<'event'>).session, entry.session])].filter(
          (name) => name !== null,
        ),
        entries: [before.index, index],
        site: 'replaced event',
      };
    });
    const refs = wasFinished(history) ? acceptedIn(history).map(({ ref }) => ref) : [];
    const gap = refs.findIndex((ref, i) => Number(/\d+/.exec(ref)?.[0]) !== i + 1);
    if (gap < 0) return replaced;
    return [...replaced, { message: `there is no event with the number ${gap + 1}`, sessions: [], entries: [], site: 'missing event' }];
  },

  forge(history) {
    const index = history.entries.findIndex(({ type }) => type === 'event');
    const event = history.entries[index];
    return event?.type === 'event' ? plant(history, index + 1, { ...event, id: `${event.id}~other` }) : null;
  },
};

export default oneWritePerCount;
