import { endsOf, wasFinished } from '../history/ends.ts';
import type { EntryOf, History } from '../history/history.ts';
import type { Violation } from '../history/record.ts';
import { factsIn } from '../history/sightings.ts';
import type { Invariant } from './invariant.ts';
import { plant } from './planting.ts';
import { seconds } from './wording.ts';

type Found = Omit<Violation, 'invariant'>;

const finishes: Invariant = {
  name: 'finishes',
  title:
    'After the last fault a session finds the work done and exits 0, with as many events as without faults, and none dies of an error that is its own.',
  liveness: true,

  check(history) {
    const violations = [...diedOfTheirOwn(history), ...wereStuck(history)];
    // A trial is given up because its sessions died: then that is no news.
    if (violations.length === 0) violations.push(...wasGivenUp(history));
    if (violations.length === 0 && !wasFinished(history))
      violations.push({
        message: 'no session exited 0 after the last fault',
        sessions: [],
        entries: [],
        site: `not finished ${afterKill(history)}`,
      });
    const events = factsIn(history).size;
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

function diedOfTheirOwn(history: History): Found[] {
  const { entries } = history;
  const failed = new Set(entries.map((entry) => (entry.type === 'fault' && hasFailed(entry) ? entry.session : null)));
  return endsOf(history)
    .filter(({ session, how }) => how === 'own-error' && !failed.has(session))
    .map(({ session, code, signal, reason }) => {
      const index = entries.findIndex((entry) => entry.type === 'end' && entry.session === session);
      const { t_ms, last_words } = entries[index] as EntryOf<'end'>;
      const why = reason !== null ? `reason ${reason}` : last_words === undefined ? 'no reason given' : `saying “${last_words}”`;
      return {
        message: `${session} died of its own error at ${seconds(t_ms)}: ${signal ?? `code ${code}`}, ${why}`,
        sessions: [session],
        entries: [index],
        site: `own error ${signal ?? `code ${code}`} ${reason ?? ''}`.trim(),
      };
    });
}

/** One whose disk failed may say so and die: its successor has to cope. */
function hasFailed({ fault, phase }: EntryOf<'fault'>): boolean {
  return phase === 'delivered' && /:fail=\w+$/.test(fault);
}

function wereStuck({ entries }: History): Found[] {
  return entries.flatMap((entry, index) => {
    if (entry.type !== 'stuck') return [];
    const { session, real_ms, t_ms } = entry;
    const message = `${session} was stuck at ${seconds(t_ms)}: no operation for ${real_ms} ms of real time`;
    return { message, sessions: [session], entries: [index], site: 'stuck' };
  });
}

function wasGivenUp(history: History): Found[] {
  return history.entries.flatMap((entry, index) => {
    if (entry.type !== 'given-up') return [];
    const message = `given up at ${seconds(entry.t_ms)}: ${entry.why}`;
    return { message, sessions: [], entries: [index], site: `given up ${afterKill(history)}` };
  });
}

/** The state that the last kill left behind is what nobody came out of. Whether it hit a write or a renewal is a detail of holding. */
function afterKill({ entries }: History): string {
  const killed = entries.findLast((entry) => entry.type === 'killed');
  if (!killed) return 'without a kill';
  return `after a kill while ${killed.windows.filter((window) => window !== 'writing' && window !== 'renewing').join('+') || 'idle'}`;
}

export default finishes;
