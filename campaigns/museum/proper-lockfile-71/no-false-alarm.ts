import type { EntryOf, History } from '../../../src/history/history.ts';
import { lastTenure, tenuresOf } from '../../../src/history/tenures.ts';
import type { Invariant } from '../../../src/invariants/invariant.ts';
import { plant } from '../../../src/invariants/planting.ts';
import { seconds } from '../../../src/invariants/wording.ts';

/**
 * A lock may well tell its holder that the lease ran out, to be on the safe side, so this is no invariant of all locks; the package takes a lock that nobody has touched for a lock that is still held.
 */
const noFalseAlarm: Invariant = {
  name: 'no-false-alarm',
  title: 'No holder is told that its lock was lost while nobody else has taken, removed or changed it.',

  check(history) {
    const { entries, trial } = history;
    const tenures = tenuresOf(history);
    const isAlarm = (entry: History['entries'][number]): entry is EntryOf<'said'> & { t_ms: number } =>
      entry.type === 'said' && entry.say === 'reason' && entry.text === trial.robbed_reason;
    return entries.flatMap((entry, index) => {
      if (!isAlarm(entry)) return [];
      const tenure = lastTenure(tenures, entry.session, index);
      if (!tenure) return [];
      const isTouched = entries.slice(tenure.from + 1, index).some((other) => other.type === 'lock' && other.change !== 'renewed');
      if (isTouched) return [];
      return {
        message: `${entry.session} was told at ${seconds(entry.t_ms)} that its lock was lost, which it had held since ${seconds(entries[tenure.from]?.t_ms ?? 0)} and nobody had touched`,
        sessions: [entry.session],
        entries: [tenure.from, index],
        site: 'alarm',
      };
    });
  },

  forge(history) {
    const tenure = tenuresOf(history).findLast(({ session, how }) => session !== null && how === 'released');
    if (!tenure || tenure.session === null) return null;
    const t_ms = history.entries[tenure.from]?.t_ms ?? 0;
    return plant(history, tenure.from + 1, {
      type: 'said',
      t_ms,
      session: tenure.session,
      say: 'reason',
      text: history.trial.robbed_reason,
    });
  },
};

export default noFalseAlarm;
