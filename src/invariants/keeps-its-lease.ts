import { isAtLarge } from '../history/fault-action.ts';
import type { Entry, History } from '../history/history.ts';
import { hadLapsed, type Theft, tenuresOf, theftsOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/**
 * A session that is paused, or made to wait for another, can't renew its lease and is robbed by right. One that was left alone has no excuse: its heartbeat is missing, or too slow.
 * Only under sim is a session left alone; under the real clock a busy machine pauses whom it likes.
 */
const keepsItsLease: Invariant = {
  name: 'keeps-its-lease',
  title: 'A session to which nothing was done does not lose its lock because its lease ran out.',

  check(history) {
    if (history.trial.driver === 'live') return [];
    const isTaken = ({ to }: Theft) => {
      const entry = history.entries[to];
      return entry?.type === 'lock' && entry.change === 'acquired';
    };
    return theftsOf(tenuresOf(history))
      .filter((theft) => isTaken(theft) && hadLapsed(history, theft, theft.to) && wasLeftAlone(history, theft))
      .map((theft) => violation(history, theft));
  },

  forge(history) {
    if (history.trial.driver === 'live') return null;
    const tenure = tenuresOf(history).findLast(
      (candidate): candidate is Theft =>
        candidate.session !== null && candidate.how === 'released' && candidate.to !== null && wasLeftAlone(history, candidate as Theft),
    );
    if (!tenure) return null;
    const lease = history.entries.findLast(
      (entry, index) => index >= tenure.from && index < tenure.to && entry.type === 'lock' && entry.session === tenure.session,
    );
    const t_ms = lease?.type === 'lock' ? lease.expires_ms : null;
    if (t_ms === null) return null;
    const token = tenure.token === null ? null : tenure.token + 1;
    return plant(history, tenure.to, {
      type: 'lock',
      t_ms,
      change: 'acquired',
      session: 's0',
      token,
      expires_ms: t_ms + history.trial.ttl_ms,
    });
  },
};

function wasLeftAlone({ entries }: History, { session, to }: Theft): boolean {
  return !entries
    .slice(0, to)
    .some((entry: Entry) => entry.type === 'fault' && entry.phase === 'delivered' && (entry.session === session || isAtLarge(entry.fault)));
}

function violation({ entries }: History, theft: Theft) {
  const taken = entries[theft.to];
  const by = taken?.type === 'lock' ? holderName(taken) : 'another';
  return {
    message: `${holderName(theft)} lost its lock to ${by} at ${seconds(taken?.t_ms ?? 0)}: its lease had run out, though nothing had been done to it`,
    sessions: [theft.session],
    entries: [theft.from, theft.to],
    site: 'lease',
  };
}

export default keepsItsLease;
