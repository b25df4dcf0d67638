import type { Entry } from '../history/history.ts';
import { recoveriesOf } from '../history/recovery.ts';
import type { Invariant } from './invariant.ts';
import { seconds } from './wording.ts';

const recoversWithin: Invariant = {
  name: 'recovers-within',
  title: 'After each kill, work goes on within the time that the campaign allows.',
  liveness: true,

  check(history) {
    const { recovers_within_ms } = history.trial;
    return recoveriesOf(history).flatMap(({ session, t_ms, recovery_ms, censored_ms, left_lock_behind }) => {
      if ((recovery_ms ?? censored_ms ?? 0) <= recovers_within_ms) return [];
      const took =
        recovery_ms === null ? `had not recovered ${seconds(censored_ms ?? 0)} later` : `took ${seconds(recovery_ms)} to recover`;
      const lock = left_lock_behind ? ', with the lock left behind' : '';
      return {
        message: `the kill of ${session} at ${seconds(t_ms)}${lock}, ${took}; allowed are ${seconds(recovers_within_ms)}`,
        sessions: [session],
        entries: [history.entries.findIndex((entry) => entry.type === 'killed' && entry.session === session)],
        site: left_lock_behind ? 'kill of a holder' : 'kill',
      };
    });
  },

  forge(history) {
    const kill = history.entries.findLastIndex(({ type }) => type === 'killed');
    if (kill === -1) return null;
    const late_ms = history.trial.recovers_within_ms + 1000;
    return { ...history, entries: history.entries.map((entry, index) => (index > kill ? postpone(entry, late_ms) : entry)) };
  },
};

function postpone(entry: Entry, by_ms: number): Entry {
  const t_ms = entry.t_ms + by_ms;
  if (entry.type !== 'lock' || entry.expires_ms === null) return { ...entry, t_ms };
  return { ...entry, t_ms, expires_ms: entry.expires_ms + by_ms };
}

export default recoversWithin;
