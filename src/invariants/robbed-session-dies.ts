import type { EntryOf, History } from '../history/history.ts';
import { sightingsOf } from '../history/sightings.ts';
import { type Theft, tenuresOf, theftsOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/** A session whose work was complete when it was robbed has nothing left that it could do wrong, and may end as if nothing had happened. */
const robbedSessionDies: Invariant = {
  name: 'robbed-session-dies',
  title: 'A session that is robbed of its lock ends at once, with a code other than 0 and the reason for it.',

  check(history) {
    const { trial } = history;
    const tenures = tenuresOf(history);
    const lastEvent = sightingsOf(history).at(-1);
    const robbed = new Set<string>();
    return theftsOf(tenures).flatMap((theft) => {
      const { session, to } = theft;
      if (robbed.has(session)) return [];
      robbed.add(session);
      const again = tenures.find((tenure) => tenure.session === session && tenure.from >= to);
      if (again) return violation(history, theft, again.from, 'went on, and took the lock again');
      const [index, end] = endOf(history, session);
      if (!end || wasKilled(end)) return [];
      if (end.code === 0) {
        if (!lastEvent || lastEvent.index <= to) return [];
        return violation(history, theft, index, `ended with code 0, though events were still missing (${lastEvent.id} came later)`);
      }
      if (end.reason === trial.robbed_reason) return [];
      const reason = end.reason === null ? 'no reason' : `the reason ${end.reason}`;
      return violation(history, theft, index, `ended with code ${end.code} and ${reason} instead of ${trial.robbed_reason}`);
    });
  },

  forge(history) {
    const { entries } = history;
    const tenures = tenuresOf(history);
    const lastEvent = sightingsOf(history).at(-1)?.index ?? -1;
    const robbed = theftsOf(tenures).find(({ session, to }) => !wasKilled(endOf(history, session)[1]) && lastEvent > to);
    if (robbed) return withEnd(history, robbed.session, { code: 0, reason: null });
    // Where nobody was robbed, the last holder is, after its work, and dies of something else.
    const last = tenures.findLast(({ session }) => session !== null && !wasKilled(endOf(history, session)[1]));
    if (!last || last.session === null) return null;
    const at = last.to ?? endOf(history, last.session)[0];
    const t_ms = entries[at]?.t_ms ?? 0;
    const stolen = plant(history, at, {
      type: 'lock',
      t_ms,
      change: 'stolen',
      session: null,
      token: last.token === null ? null : last.token + 1,
      expires_ms: null,
    });
    return withEnd(stolen, last.session, { code: 1, reason: 'forged' });
  },
};

function violation({ entries }: History, theft: Theft, index: number, what: string) {
  const passed = entries[theft.to];
  const thief = passed?.type === 'lock' && passed.change !== 'stolen' ? holderName(passed) : 'the harness';
  const at = (entry: number) => seconds(entries[entry]?.t_ms ?? 0);
  return {
    message: `${holderName(theft)} was robbed by ${thief} at ${at(theft.to)} and ${what}, at ${at(index)}`,
    sessions: [theft.session],
    entries: [theft.from, theft.to, index],
    site: what.replace(/ \(.*/, ''),
  };
}

function endOf({ entries }: History, session: string): [number, EntryOf<'end'> | undefined] {
  const index = entries.findIndex((entry) => entry.type === 'end' && entry.session === session);
  const end = entries[index];
  return [index, end?.type === 'end' ? end : undefined];
}

/** By the harness or by somebody else, or it has not ended at all: it had no say in it. */
function wasKilled(end: EntryOf<'end'> | undefined): boolean {
  return !end || end.asked || end.signal !== null;
}

function withEnd(history: History, session: string, change: Pick<EntryOf<'end'>, 'code' | 'reason'>): History {
  return {
    ...history,
    entries: history.entries.map((entry) => (entry.type === 'end' && entry.session === session ? { ...entry, ...change } : entry)),
  };
}

export default robbedSessionDies;
