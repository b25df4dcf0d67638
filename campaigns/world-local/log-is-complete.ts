import type { EntryOf, History } from '../../src/history/history.ts';
import type { Invariant } from '../../src/invariants/invariant.ts';

/** What the log of a complete run has, each at least once, in this order. */
export const FACTS = [
  'run_created',
  'run_started',
  'hook_created hook_1',
  'step_created step_1',
  'step_started step_1',
  'step_completed step_1',
  'wait_created wait_1',
  'wait_completed wait_1',
  'hook_received hook_1',
  'hook_disposed hook_1',
  'hook_created hook_2',
  'step_created step_2',
  'step_started step_2',
  'step_completed step_2',
  'run_completed',
];

/** In their order: every one of these is decided by the one before. */
export const logIsComplete: Invariant = {
  name: 'log-is-complete',
  title: 'The log of a run that is complete has every event that led there.',
  check({ entries }) {
    const isSaidToBe = entries.some((entry) => entry.type === 'end' && entry.code === 0);
    return entries.flatMap((entry, index) => {
      if (!isFinal(entry) || !isSaidToBe) return [];
      const ids = new Set(entry.events.map(({ id }) => id));
      return FACTS.filter((fact) => !ids.has(fact)).map((fact) => ({
        message: `the run is complete, and its log has no ${fact}`,
        sessions: [],
        entries: [index],
        site: `no ${fact.replace(/_(\d)$/, ' $1')}`,
      }));
    });
  },
  forge: (history) => ({
    ...history,
    entries: history.entries.map((entry) =>
      isFinal(entry) ? { ...entry, events: entry.events.filter(({ id }) => id !== 'step_completed step_1') } : entry,
    ),
  }),
};

function isFinal(entry: History['entries'][number]): entry is EntryOf<'final'> & { t_ms: number } {
  return entry.type === 'final';
}
