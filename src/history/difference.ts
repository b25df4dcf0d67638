import { isDeepStrictEqual } from 'node:util';
import type { Entry, History } from './history.ts';

/** Where two histories of one trial part. */
export interface Difference {
  /** The index of the first entries that are not alike. */
  entry: number;
  /** Of the first history's entry there, or the second's when the first has none. Null: it is no session's. */
  session: string | null;
  t_ms: number;
  /** The two entries; null where that history had come to its end. */
  before: Entry | null;
  after: Entry | null;
}

/** The first difference between a history and its repetition; null when there is none. */
export function firstDifference(before: Pick<History, 'entries'>, after: Pick<History, 'entries'>): Difference | null {
  const length = Math.max(before.entries.length, after.entries.length);
  for (let entry = 0; entry < length; entry++) {
    const [first, second] = [before.entries[entry] ?? null, after.entries[entry] ?? null];
    if (isDeepStrictEqual(first, second)) continue;
    const there = (first ?? second) as Entry;
    return { entry, session: 'session' in there ? there.session : null, t_ms: there.t_ms, before: first, after: second };
  }
  return null;
}

/** In one line: `s2 at 1.204 s, entry 81: write ledger, sum "3c" and then "9f"`. */
export function differenceText({ entry, session, t_ms, before, after }: Difference): string {
  const where = `${session ?? 'the harness'} at ${(t_ms / 1000).toFixed(3)} s, entry ${entry}`;
  if (before === null || after === null) {
    const longer = before ?? after;
    return `${where}: ${longer === null ? '' : what(longer)} ${before === null ? 'in the repetition only' : 'not in the repetition'}`;
  }
  if (what(before) !== what(after)) return `${where}: ${what(before)}, and then ${what(after)}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [first, second] = [before, after].map((side) => JSON.stringify((side as unknown as Record<string, unknown>)[field]));
    return first === second ? [] : `${field} ${first} and then ${second}`;
  });
  return `${where}: ${what(before)}, ${fields.join(', ')}`;
}

function what(entry: Entry): string {
  return entry.type === 'operation' ? `${entry.kind} ${entry.path}` : entry.type;
}
