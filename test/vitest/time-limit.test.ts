import { expect, test } from 'vitest';
import { timeLimit } from '../../src/vitest/time-limit.ts';

const timing = { ttl_ms: 1000, recovers_within_ms: 5000, deadline_ms: 10_000 };

test('it grows with the golden run and the trials, and shrinks with the workers', () => {
  expect(timeLimit(10, { golden_ms: 500, workers: 2, driver: 'sim', timing })).toBe(30_000 + 5 * 15_000);
  expect(timeLimit(9, { golden_ms: 500, workers: 2, driver: 'sim', timing })).toBe(30_000 + 5 * 15_000);
  expect(timeLimit(10, { golden_ms: 500, workers: 2, driver: 'live', timing })).toBe(30_000 + 5 * 25_000);
});
