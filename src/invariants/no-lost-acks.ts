import { acceptedIn, finalOf } from '../history/sightings.ts';
import type { Invariant } from './invariant.ts';
import { plant, rereadFinal } from './planting.ts';
import { seconds } from './wording.ts';

const noLostAcks: Invariant = {
  name: 'no-lost-acks',
  title: 'Every event that the outside world was told to be durable is there at the end.',

  check(history) {
    const { entries } = history;
    const there = new Set(acceptedIn(history).map(({ id }) => id));
    return entries.flatMap((entry, index) => {
      if (entry.type !== 'said' || entry.say !== 'ack' || there.has(entry.text)) return [];
      const lost = entries.findLastIndex((other) => other.type === 'event-lost' && other.id === entry.text);
      const lostEntry = entries[lost];
      const ref = lostEntry?.type === 'event-lost' ? lostEntry.ref : null;
      const fate = ref === null ? 'never seen' : `gone from ${ref} since ${seconds(lostEntry?.t_ms ?? 0)}`;
      return {
        message: `${entry.session} acknowledged ${entry.text} at ${seconds(entry.t_ms)}, and it is not there at the end: ${fate}`,
        sessions: [entry.session],
        entries: lostEntry ? [index, lost] : [index],
        site: ref === null ? 'event never seen' : `event in ${ref}`,
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

export default noLostAcks;
