import type { Invariant } from './invariant.ts';
import { rereadFinal } from './planting.ts';
import { seconds } from './wording.ts';

const stateParses: Invariant = {
  name: 'state-parses',
  title: 'No file under its final name is ever unreadable.',

  check({ entries }) {
    const seen = new Map<string, { why: string; t_ms: number; index: number }>();
    for (const [index, entry] of entries.entries()) {
      const found = entry.type === 'unreadable' ? [entry] : entry.type === 'final' ? entry.unreadable : [];
      for (const { path, why } of found) if (!seen.has(path)) seen.set(path, { why, t_ms: entry.t_ms, index });
    }
    return [...seen].map(([path, { why, t_ms, index }]) => ({
      message: `${path} can't be read at ${seconds(t_ms)}: ${why}`,
      sessions: [],
      entries: [index],
      site: `file ${path}`,
    }));
  },

  forge(history) {
    const forged = { path: 'forged', why: 'planted' };
    const t_ms = history.entries.at(-1)?.t_ms ?? 0;
    const withEntry = { ...history, entries: [...history.entries, { type: 'unreadable' as const, t_ms, ...forged }] };
    if (history.entries.every(({ type }) => type !== 'final')) return withEntry;
    return rereadFinal(history, ({ unreadable }) => ({ unreadable: [...unreadable, forged] }));
  },
};

export default stateParses;
