import { wasFinished } from '../../src/history/ends.ts';
import { acceptedIn } from '../../src/history/sightings.ts';
import type { Invariant } from '../../src/invariants/invariant.ts';

const EVENTS = ['planned', 'transcribed:1', 'transcribed:2', 'transcribed:3', 'completed'];

/** What nobody was told of can be lost without a lie, and is missing all the same. */
const transcriptIsComplete: Invariant = {
  name: 'transcript-is-complete',
  title: 'When the work is finished, the plan, every window and the completion stand in the ledger.',

  check(history) {
    if (!wasFinished(history)) return [];
    const there = acceptedIn(history).map(({ id }) => id);
    return EVENTS.filter((id) => !there.includes(id)).map((id) => ({
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

export default transcriptIsComplete;
