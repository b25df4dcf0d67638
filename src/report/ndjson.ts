import { objectOf } from './json.ts';
import type { Result } from './result.ts';

/** One object on each line, each with its `schema`: the trials in the order in which they ended, and the whole last. A comparison has only the whole. */
export function ndjson(result: Result): string {
  const trials = result.of === 'compare' ? [] : result.records;
  return [...trials, objectOf(result)].map((object) => `${JSON.stringify(object)}\n`).join('');
}
