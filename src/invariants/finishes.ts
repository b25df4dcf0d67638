import { endsOf, wasFinished } from '../history/ends.ts';
import type { EntryOf, History } from '../history/history.ts';
import { acceptedIn } from '../history/sightings.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { seconds } from './wording.ts';

const finishes: Invariant = {
  name: 'finishes',
  title:
    'After the last fault a session finds the work done and exits 0, with as many events as without faults, and none dies of an error that is its own.',
  liveness: true,

  check(history) {
    const { entries } = history;
    const violations = entries.flatMap((entry, index) => {
      if (entry.type === 'given-up')
        return {
          message: `given up at ${seconds(entry.t_ms)}: ${entry.why}`,
          sessions: [],
          entries: [index],
          site: `given up ${afterKill(history)}`,
        };
      if (entry.type !== 'stuck') return [];
      const { session, real_ms, t_ms } = entry;
      return {
        message: `${session} was stuck at ${seconds(t_ms)}: no operation for ${real_ms} ms of real time`,
        sessions: [session],
        entries: [index],
        site: 'stuck',
      };
    });
    const failed = new Set(entries.map((entry) => (entry.type === 'fault' && hasFailed(entry) ? entry.session : null)));
    for (const { session, how, code, signal, reason } of endsOf(history)) {
      if (how !== 'own-error' || failed.has(session)) continue;
      const index = entries.findIndex((entry) => entry.type === 'end' && entry.session === session);
      violations.push({
        message: `${session} died of its own error at ${seconds(entries[index]?.t_ms ?? 0)}: ${signal ?? `code ${code}`}, ${reason === null ? 'no reason given' : `reason ${reason}`}`,
        sessions: [session],
        entries: [index],
        site: `own error ${signal ?? `code ${code}`} ${reason ?? ''}`.trim(),
      });
    }
    if (violations.length === 0 && !wasFinished(history))
      violations.push({
        message: 'no session exited 0 after the last fault',
        sessions: [],
        entries: [],
        site: `not finished ${afterKill(history)}`,
      });
    const events = new Set(acceptedIn(history).map(({ id }) => id)).size;
    const { golden_events = 0 } = history.trial;
    // Code 0 is the kernel's own word for it: one that gives up early would else count as recovered.
    if (violations.length === 0 && events < golden_events)
      violations.push({
        message: `the last session exited 0 with ${events} events in place, and without faults there are ${golden_events}`,
        sessions: [],
        entries: [],
        site: `unfinished ${afterKill(history)}`,
      });
    return violations;
  },

  forge(history) {
    const t_ms = history.entries.at(-1)?.t_ms ?? 0;
    return plant(history, history.entries.length, { type: 'given-up', t_ms, why: 'planted' });
  },
};

/** One whose disk failed may say so and die: its successor has to cope. */
function hasFailed({ fault, phase }: EntryOf<'fault'>): boolean {
  return phase === 'delivered' && /:fail=\w+$/.test(fault);
}

/** The state that the last kill left behind is what nobody came out of. Whether it hit a write or a renewal is a detail of holding. */
function afterKill({ entries }: History): string {
  const killed = entries.findLast((entry) => entry.type === 'killed');
  if (!killed) return 'without a kill';
  return `after a kill while ${killed.windows.filter((window) => window !== 'writing' && window !== 'renewing').join('+') || 'idle'}`;
}

export default finishes;
