import { createHash } from 'node:crypto';
import type { History } from './history.ts';

/**
 * SHA-256, in hex, over the history's entries: one canonical JSON line each. The trial's facts are left out, so that
 * the same course of things has the same digest whatever the trial is called.
 */
export function digestOf(history: Pick<History, 'entries'>): string {
  const hash = createHash('sha256');
  for (const entry of history.entries) hash.update(`${JSON.stringify(entry, inKeyOrder)}\n`);
  return hash.digest('hex');
}

/** The digest of a whole run: SHA-256 over its trials' digests in order of trial id, whatever the order in which they ended. */
export function digestOfTrials(trials: { id: string; digest: string }[]): string {
  const hash = createHash('sha256');
  for (const { digest } of trials.toSorted(byId)) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** The order of trials in which a run is digested and judged. Compares code units: `localeCompare` would order by the machine's language. */
export function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** A JSON.stringify replacer: what the machine may have put its mark on is left out; and whoever built an object may have set its keys in another order. */
function inKeyOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'last_words')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
