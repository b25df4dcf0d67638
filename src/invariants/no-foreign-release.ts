import type { Entry, EntryOf } from '../history/history.ts';
import { hadLapsed, lastTenure, tenuresOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/**
 * A lock that two sessions came to hold at once shows only when a third is there to take it. What makes it possible shows without one: somebody freed
 * a lock that another was holding. Who did it is told by the operation before, so that nothing can be said where operations are not seen.
 * A dead holder's lock may be freed by anybody who can tell that it is dead.
 */
const noForeignRelease: Invariant = {
  name: 'no-foreign-release',
  title: 'Nobody frees a lock that another living session holds under a lease that is good.',

  check(history) {
    const { entries } = history;
    const tenures = tenuresOf(history);
    const dead = new Set<string>();
    const releases = entries.flatMap((entry, index) => {
      if (entry.type === 'killed' || entry.type === 'end') dead.add(entry.session);
      if (entry.type !== 'lock' || entry.change !== 'released' || entry.session === null || dead.has(entry.session)) return [];
      const by = entries[index - 1];
      const tenure = lastTenure(tenures, entry.session, index);
      if (by?.type !== 'operation' || by.session === entry.session || !tenure || hadLapsed(history, tenure, index)) return [];
      const own = lastTenure(tenures, by.session, index);
      const who = own && own.how !== 'released' ? 'by one that had lost it' : 'by one that wanted it';
      const operation = `${by.kind} ${by.path}`;
      return {
        message: `${by.session} freed the lock at ${seconds(entry.t_ms)} (${operation}), which ${holderName(tenure)} had held since ${seconds(entries[tenure.from]?.t_ms ?? 0)} and holds still`,
        sessions: [by.session, entry.session],
        entries: [tenure.from, index - 1, index],
        site: `${operation} ${who}`,
      };
    });
    // Sessions that have been wronged go on as if they had not been, and wrong others.
    return releases.slice(0, 1);
  },

  forge(history) {
    const { entries } = history;
    const acquired = entries.findIndex(
      (entry, index) =>
        entry.type === 'lock' && entry.change === 'acquired' && entry.session !== null && entries[index + 1]?.type !== 'lock',
    );
    if (acquired === -1) return null;
    const { t_ms, session, token } = entries[acquired] as { t_ms: number } & EntryOf<'lock'>;
    const freed: Entry = { type: 'lock', t_ms, change: 'released', session, token, expires_ms: null };
    const by: Entry = { type: 'operation', t_ms, session: 's0', n: 1, kind: 'unlink', path: 'lock', changes: true, lock: true };
    return plant(history, acquired + 1, by, freed);
  },
};

export default noForeignRelease;
