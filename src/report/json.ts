import type { Result } from './result.ts';

/** One object: DESIGN 4.6. Its JSON Schema is in schema/. */
export function json(result: Result): string {
  return `${JSON.stringify(objectOf(result), null, 2)}\n`;
}

/** What is said to machines of a result. */
export function objectOf(result: Result) {
  switch (result.of) {
    case 'run':
      return result.summary;
    case 'compare':
      return result.comparison;
    case 'gate':
      return result.gate;
  }
}
