import type { History } from '../history/history.ts';
import { acceptedIn, type Sighting, sightingsOf, writerOf } from '../history/sightings.ts';
import { type Tenure, type Theft, tenuresOf, theftsOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { behind, plant, rereadFinal } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/**
 * Only what the campaign's reader accepts counts, not every byte that a robbed session lets fall. A writer that checks its token and then writes can be stopped
 * between the two for as long as anyone likes, so no check of its own keeps its bytes from reaching the disk late. What can be asked, and
 * is asked here, is that the storage side refuses them: that no reader ever takes such a write for a durable event.
 */
const noWriteAfterTheft: Invariant = {
  name: 'no-write-after-theft',
  title: 'No event is accepted from a session after its lock has passed to another.',

  check(history) {
    const tenures = tenuresOf(history);
    const thefts = theftsOf(tenures);
    if (thefts.length === 0) return [];
    return sightingsOf(history).flatMap((event) => {
      const writer = writerOf(event, tenures, event.index);
      const theft = thefts.find((candidate) => isAfter(candidate, event, writer, tenures));
      return theft ? violation(history, event, theft) : [];
    });
  },

  forge(history) {
    const tenures = tenuresOf(history);
    const theft = theftsOf(tenures)[0];
    return theft ? writeAfter(history, theft) : stealBeforeWrite(history, tenures);
  },
};

/** An event under a token belongs to the tenure with that token; one without is as good as what its writer holds at that time. */
function isAfter(theft: Theft, event: Sighting, writer: string | null, tenures: Tenure[]): boolean {
  if (writer !== theft.session || event.index <= theft.to) return false;
  if (event.token !== null && theft.token !== null) return event.token === theft.token;
  return !tenures.some(({ session, from }) => session === writer && from >= theft.to && from < event.index);
}

function violation({ entries }: History, event: Sighting, theft: Theft) {
  const passed = entries[theft.to];
  const thief = passed?.type !== 'lock' || passed.change === 'stolen' ? 'was stolen' : `passed to ${holderName(passed)}`;
  const t_ms = passed?.t_ms ?? 0;
  return {
    message: `${event.id} (${event.ref}) by ${holderName(theft)} is accepted at ${seconds(event.t_ms)}, though its lock ${thief} at ${seconds(t_ms)}`,
    sessions: [theft.session],
    entries: [theft.from, theft.to, event.index],
    site: `event in ${event.ref}`,
  };
}

function writeAfter(history: History, { session, token, to }: Theft): History {
  const event = { id: 'forged', ref: 'forged:1', session, token };
  const t_ms = history.entries[to]?.t_ms ?? 0;
  const written = plant(history, to + 1, { type: 'event', t_ms, ...event });
  return rereadFinal(written, ({ events }) => ({
    events: behind(events, (other) => other.session === session || other.token === token, { ...event, token: token ?? undefined }),
  }));
}

/** Where nobody was robbed, the holder is, right before its last event. */
function stealBeforeWrite(history: History, tenures: Tenure[]): History | null {
  const event = acceptedIn(history).findLast(({ index, session }) =>
    tenures.some((tenure) => session !== null && tenure.session === session && tenure.from < index && (tenure.to ?? Infinity) > index),
  );
  if (!event || history.entries[event.index]?.type === 'final') return null;
  const token = Math.max(0, ...tenures.map((tenure) => tenure.token ?? 0)) + 1;
  return plant(history, event.index, { type: 'lock', t_ms: event.t_ms, change: 'stolen', session: null, token, expires_ms: null });
}

export default noWriteAfterTheft;
