import { wasFinished } from '../../src/history/ends.ts';
import { acceptedIn } from '../../src/history/sightings.ts';
import type { Invariant } from '../../src/invariants/invariant.ts';

/** What nobody was told of can be lost without a lie, and is missing all the same. */
export function transcriptIsComplete(windows: number): Invariant {
  const expected = ['planned', ...Array.from({ length: windows }, (_, i) => `transcribed:${i + 1}`), 'completed'];
  return {
    name: 'transcript-is-complete',
    title: 'When the work is finished, the plan, every window and the completion stand in the ledger.',

    check(history) {
      if (!wasFinished(history)) return [];
      const there = acceptedIn(history).map(({ id }) => id);
      return expected
        .filter((id) => !there.includes(id))
        .map((id) => ({
          message: `${id} is missing at the end, though the work is finished`,
          sessions: [],
          entries: [history.entries.length - 1],
          site: `missing ${id}`,
        }));
    },

    forge(history) {
      if (!wasFinished(history)) return null;
      const isLost = ({ id }: { id: string }) => id === 'planned';
      return {
        ...history,
        entries: history.entries
          .filter((entry) => entry.type !== 'event' || !isLost(entry))
          .map((entry) => (entry.type === 'final' ? { ...entry, events: entry.events.filter((event) => !isLost(event)) } : entry)),
      };
    },
  };
}
