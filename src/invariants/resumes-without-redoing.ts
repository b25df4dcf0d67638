import type { EntryOf } from '../history/history.ts';
import { writerOf } from '../history/sightings.ts';
import { lastTenure, type Tenure, tenuresOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { plant, rereadFinal } from './planting.ts';
import { holderName, seconds } from './wording.ts';

type Work = { index: number; entry: EntryOf<'work'> };

/** Events that are written again are for no-duplicate-events. What a power cut took away has to be done again. */
const resumesWithoutRedoing: Invariant = {
  name: 'resumes-without-redoing',
  title: 'Work that was finished when a session acquired the lock is not done again by it.',

  check(history) {
    const tenures = tenuresOf(history);
    const finished = new Map<string, Work[]>();
    const violations = [];
    for (const [index, entry] of history.entries.entries()) {
      if (entry.type === 'fault' && entry.phase === 'delivered' && entry.fault.endsWith(':power-cut')) finished.clear();
      if (entry.type !== 'work') continue;
      const tenure = tenureOf(entry, tenures, index);
      const before = tenure && finished.get(entry.unit)?.find((work) => work.index < tenure.from);
      if (tenure && before) {
        const by = holderName({ session: before.entry.session, token: before.entry.token });
        violations.push({
          message:
            `${entry.unit} was finished by ${by} at ${seconds(before.entry.t_ms)} (${before.entry.ref}) and done again at ${seconds(entry.t_ms)} (${entry.ref}) ` +
            `by ${holderName(tenure)}, which acquired the lock at ${seconds(history.entries[tenure.from]?.t_ms ?? 0)}`,
          sessions: [...new Set([before.entry.session, tenure.session].flatMap((session) => session ?? []))],
          entries: [before.index, tenure.from, index],
          site: `work ${entry.unit}`,
        });
      }
      finished.set(entry.unit, [...(finished.get(entry.unit) ?? []), { index, entry }]);
    }
    return violations;
  },

  forge(history) {
    const tenures = tenuresOf(history);
    for (const entry of history.entries.filter((entry) => entry.type === 'work')) {
      const index = history.entries.indexOf(entry);
      const later = tenures.find(({ session, from }) => session !== null && from > index);
      if (!later || later.session === null) continue;
      const t_ms = history.entries[later.from]?.t_ms ?? 0;
      const again = { unit: entry.unit, ref: `${entry.ref}~again`, session: later.session, token: later.token };
      const redone = plant(history, later.from + 1, { type: 'work', t_ms, ...again });
      return rereadFinal(redone, ({ work }) => ({ work: [...work, { ...again, token: again.token ?? undefined }] }));
    }
    return null;
  },
};

/** Whoever is not told by the work itself is the one who held the lock then. */
function tenureOf(work: EntryOf<'work'>, tenures: Tenure[], index: number): Tenure | undefined {
  const writer = writerOf(work, tenures, index);
  if (writer !== null)
    return (
      tenures.findLast(({ session, token, from }) => session === writer && token === work.token && from <= index) ??
      lastTenure(tenures, writer, index)
    );
  return tenures.findLast(({ from, to }) => from <= index && (to === null || to > index));
}

export default resumesWithoutRedoing;
