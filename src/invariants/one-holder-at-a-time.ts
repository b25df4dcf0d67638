import type { Entry, History } from '../history/history.ts';
import { hadLapsed, lastTenure, type Tenure, tenuresOf } from '../history/tenures.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { holderName, seconds } from './wording.ts';

/** From `@crash enter` to `@crash exit` or the session's death. */
interface Section {
  session: string;
  from: number;
  /** Null: never left. */
  to: number | null;
  /** Those that others were in when it was entered. */
  amid: Section[];
}

/** Two sessions that both took themselves for the holder from entry `at` on. */
interface Overlap {
  earlier: { session: string; token: number | null; from: number };
  later: { session: string; token: number | null; from: number };
  what: string;
}

/** Under live, lines of two sessions that come this close together may have been said in the other order. */
const LINES_APART_MS = 50;

/**
 * Overlapping alone is no violation: a holder that sleeps past its lease wakes inside its critical section while its successor is in it too, and no lock with
 * a lease can help that. What must not be is an overlap although the earlier one's lease was good, or one under the same token, which
 * no storage can fence. A section must be left before the lock is released.
 */
const oneHolderAtATime: Invariant = {
  name: 'one-holder-at-a-time',
  title: 'Nobody gets the lock while another holds it under a lease that is good, and no two hold it under one token.',

  check(history) {
    const tenures = tenuresOf(history);
    const pairs = new Set<string>();
    return [...overlappingTenures(history, tenures), ...overlappingSections(history, tenures)].flatMap(({ earlier, later, what }) => {
      const pair = `${earlier.session} ${later.session}`;
      if (pairs.has(pair)) return [];
      pairs.add(pair);
      const at = (index: number) => seconds(history.entries[index]?.t_ms ?? 0);
      return {
        message: `${holderName(later)} ${what} at ${at(later.from)} while ${holderName(earlier)} had been the holder since ${at(earlier.from)}, ${leaseOf(history, earlier, later)}`,
        sessions: [earlier.session, later.session],
        entries: [earlier.from, later.from],
        site: `${what}${howItWasLost(history, earlier, later)}`,
      };
    });
  },

  forge(history) {
    const tenure = tenuresOf(history).find(({ session, from }) => session !== null && history.entries[from]?.type === 'lock');
    if (!tenure || tenure.session === null) return null;
    const t_ms = history.entries[tenure.from]?.t_ms ?? 0;
    const say = (session: string, say: 'enter' | 'exit'): Entry => ({ type: 'said', t_ms, session, say, text: '' });
    const end_ms = t_ms + 2 * LINES_APART_MS;
    const leave = (session: string): Entry => ({ ...say(session, 'exit'), t_ms: end_ms });
    const other = 's0';
    return plant(history, tenure.from + 1, say(tenure.session, 'enter'), say(other, 'enter'), leave(other), leave(tenure.session));
  },
};

function overlappingTenures(history: History, tenures: Tenure[]): Overlap[] {
  const died = deathsOf(history);
  return tenures.flatMap((later, i) => {
    const { session, token, from } = later;
    if (session === null) return [];
    return tenures.flatMap((earlier, j) => {
      const isSameToken = token !== null && earlier.token === token;
      if (j >= i || !(isSameToken || earlier.to === from)) return [];
      if (earlier.session === null || earlier.session === session || earlier.how === 'released') return [];
      if ((died.get(earlier.session) ?? Infinity) < from || !(isSameToken || !hadLapsed(history, earlier, from))) return [];
      return [{ earlier: { ...earlier, session: earlier.session }, later: { ...later, session }, what: 'acquired the lock' }];
    });
  });
}

function overlappingSections(history: History, tenures: Tenure[]): Overlap[] {
  const t_ms = (index: number) => history.entries[index]?.t_ms ?? 0;
  return sectionsOf(history).flatMap((later) =>
    later.amid.flatMap((earlier) => {
      if (history.trial.driver === 'live' && earlier.to !== null && t_ms(earlier.to) - t_ms(later.from) < LINES_APART_MS) return [];
      const [held, taken] = [earlier, later].map(({ session }) => lastTenure(tenures, session, later.from));
      const isLapsed = held ? hadLapsed(history, held, later.from) : sleptPastLease(history, earlier, later.from);
      if (isLapsed) return [];
      const named = ({ session, from }: Section, tenure: Tenure | undefined) => ({ session, from, token: tenure?.token ?? null });
      return [{ earlier: named(earlier, held), later: named(later, taken), what: 'entered the critical section' }];
    }),
  );
}

function sectionsOf({ entries }: History): Section[] {
  const sections: Section[] = [];
  const open = new Map<string, Section>();
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'said' && entry.say === 'enter' && !open.has(entry.session)) {
      const section: Section = { session: entry.session, from: index, to: null, amid: [...open.values()] };
      open.set(entry.session, section);
      sections.push(section);
    } else if (entry.type === 'killed' || entry.type === 'end' || (entry.type === 'said' && entry.say === 'exit')) {
      const section = open.get(entry.session);
      if (section) section.to = index;
      open.delete(entry.session);
    }
  }
  return sections;
}

function deathsOf({ entries }: History): Map<string, number> {
  const died = new Map<string, number>();
  for (const [index, entry] of entries.entries())
    if ((entry.type === 'killed' || entry.type === 'end') && !died.has(entry.session)) died.set(entry.session, index);
  return died;
}

/** For a lock that names nobody: a session that slept for a whole lease can't have renewed it. */
function sleptPastLease({ entries, trial }: History, { session, from }: Section, until: number): boolean {
  let asleep_ms: number | null = null;
  const t_ms = entries[until]?.t_ms ?? 0;
  return entries.slice(from, until + 1).some((entry, i) => {
    if (entry.type === 'paused' && entry.session === session) asleep_ms = entry.t_ms;
    const isOver = (entry.type === 'continued' && entry.session === session) || from + i === until;
    const hasSlept = isOver && asleep_ms !== null && Math.min(entry.t_ms, t_ms) - asleep_ms >= trial.ttl_ms;
    if (isOver) asleep_ms = null;
    return hasSlept;
  });
}

/** Who removed the earlier holder's lock, where that was seen: a contender that took it for stale and a holder that released what was no longer its own are two defects. */
function howItWasLost({ entries }: History, earlier: Overlap['earlier'], later: Overlap['later']): string {
  const lost = entries.findLastIndex(
    (entry, index) =>
      index > earlier.from &&
      index < later.from &&
      entry.type === 'lock' &&
      entry.change === 'released' &&
      entry.session === earlier.session,
  );
  const removal = entries[lost - 1];
  if (removal?.type !== 'operation' || removal.session === earlier.session) return '';
  return removal.session === later.session ? ' after removing that of the holder' : ' after a third session had removed that of the holder';
}

function leaseOf(history: History, earlier: Overlap['earlier'], later: Overlap['later']): string {
  if (earlier.token !== null && earlier.token === later.token) return 'under the same token';
  const lease = history.entries.findLast(
    (entry, index) =>
      index <= later.from &&
      entry.type === 'lock' &&
      entry.session === earlier.session &&
      (entry.change === 'acquired' || entry.change === 'renewed'),
  );
  const expires_ms = lease?.type === 'lock' ? lease.expires_ms : null;
  return expires_ms === null ? 'under a lease that had not run out' : `under a lease until ${seconds(expires_ms)}`;
}

export default oneHolderAtATime;
