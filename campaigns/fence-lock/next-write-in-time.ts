import type { EntryOf, History, TrialFacts } from '../../src/history/history.ts';
import { recoveriesOf } from '../../src/history/recovery.ts';
import type { Invariant } from '../../src/invariants/invariant.ts';
import { seconds } from '../../src/invariants/wording.ts';
import { LOCK } from './fence-lock-adapter.ts';
import { AT_ONCE_MS, EXPECTED, type NextWrite, STALE_SLACK_MS, START_SLACK_MS } from './next-write.ts';

interface Bounds {
  least_ms: number;
  most_ms: number;
}

/**
 * Not only late but early too: a writer that gets in before a lock is stale that nobody could know to be a dead one's has taken a living one's just as well.
 * A kill that leaves no lock behind leaves nothing to be waited for.
 */
const nextWriteInTime: Invariant = {
  name: 'next-write-in-time',
  title:
    'After a kill the next write is accepted at once, or when the lock that was left behind is stale, as the campaign expects of that lock.',
  liveness: true,

  check(history) {
    return recoveriesOf(history).flatMap(({ session, recovery_ms, censored_ms }) => {
      const index = history.entries.findIndex((entry) => entry.type === 'killed' && entry.session === session);
      const kill = history.entries[index] as EntryOf<'killed'> & { t_ms: number };
      // The killed one's was the last.
      if (recovery_ms !== null && !history.entries.some(({ type }, i) => i > index && type === 'event')) return [];
      const expected = expectedAfter(history, kill, index);
      const { least_ms, most_ms } = boundsOf(expected, kill, history.trial);
      const took_ms = recovery_ms ?? censored_ms ?? 0;
      if (took_ms <= most_ms && (recovery_ms === null || took_ms >= least_ms)) return [];
      const what =
        recovery_ms === null ? `no write was accepted for ${seconds(took_ms)}` : `the next write was accepted after ${seconds(took_ms)}`;
      const error = took_ms > most_ms ? errorAtLock(history, index) : null;
      return {
        message: `${session} was killed at ${seconds(kill.t_ms)}${kill.held_lock ? ' and left the lock behind' : ''}: ${what}, expected is ${expected}, between ${seconds(least_ms)} and ${seconds(most_ms)}${error === null ? '' : `; ${error.message}`}`,
        sessions: [session],
        entries: [index],
        site: error?.site ?? (took_ms > most_ms ? 'late' : 'early'),
      };
    });
  },

  forge(history) {
    const kill = history.entries.findLastIndex(({ type }) => type === 'killed');
    if (kill === -1) return null;
    const later = history.entries.map((entry, index) =>
      index > kill ? { ...entry, t_ms: entry.t_ms + 10 * history.trial.ttl_ms } : entry,
    );
    return { ...history, entries: later };
  },
};

function expectedAfter(history: History, kill: EntryOf<'killed'>, index: number): NextWrite {
  if (!kill.held_lock) return 'at once';
  const { scenario, subject } = history.trial;
  return isNamed(history, kill.session, index) ? (EXPECTED[scenario]?.[subject] ?? 'at once') : 'when stale';
}

function boundsOf(expected: NextWrite, { lease_left_ms }: EntryOf<'killed'>, { subject, driver }: TrialFacts): Bounds {
  const slack_ms = driver === 'live' ? START_SLACK_MS : 0;
  if (expected === 'at once') return { least_ms: 0, most_ms: (AT_ONCE_MS[subject] ?? 0) + slack_ms };
  const left_ms = Math.max(0, lease_left_ms ?? 0);
  return { least_ms: left_ms, most_ms: left_ms + STALE_SLACK_MS + slack_ms };
}

/** Whether the lock that a session left behind says whose it is: what it did last in the lock's directory was to put something there. Live nobody sees that. */
function isNamed({ trial, entries }: History, session: string, killed: number): boolean {
  if (trial.driver === 'live') return true;
  const last = entries.findLast(
    (entry, index) =>
      index < killed && entry.type === 'operation' && entry.session === session && entry.changes && entry.path.startsWith(`${LOCK}/`),
  );
  return last?.type === 'operation' && (last.kind === 'mkdir' || last.kind === 'write');
}

/** The error on which a session that waited for the lock ran most often, beside finding it held. */
function errorAtLock({ entries }: History, from: number): { message: string; site: string } | null {
  const failed = entries.flatMap((entry, index) =>
    index > from &&
    entry.type === 'operation' &&
    entry.path === LOCK &&
    entry.error !== undefined &&
    !['EEXIST', 'ENOENT'].includes(entry.error)
      ? entry
      : [],
  );
  const first = failed[0];
  if (!first) return null;
  const site = `${first.kind} of the lock fails with ${first.error}`;
  const last = failed.at(-1);
  return {
    message: `meanwhile ${first.session}'s ${first.kind} of the lock failed ${failed.length} times with ${first.error}, first at ${seconds(first.t_ms)}, last at ${seconds(last?.t_ms ?? first.t_ms)}`,
    site,
  };
}

export default nextWriteInTime;
