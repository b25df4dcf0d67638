import { expect, test } from 'vitest';
import type { Delay } from '../../src/driver/world.ts';
import { loadedOf, loadOf } from '../../src/judge/loaded.ts';

const TTL_MS = 500;
/** The kill at 1 s, and a recovery after 0.6 s. */
const kill = { t_ms: 1000, recovery_ms: 600, censored_ms: null };
const delays = (session: string | null, ...all: [t_ms: number, delay_ms: number][]): Delay[] =>
  all.map(([t_ms, delay_ms]) => ({ t_ms, session, delay_ms }));

test('a session is as late as all its delays together, from the kill to the recovery', () => {
  expect(loadedOf([kill], delays('s2', [1100, 30], [1500, 21.4]), TTL_MS)).toEqual({ delay_ms: 51 });
  expect(loadedOf([kill], delays('s2', [1100, 30], [1500, 20]), TTL_MS)).toBe(null);
});

test.each([
  { what: 'before the kill', t_ms: 1000 },
  { what: 'after the recovery', t_ms: 1601 },
])('a delay $what delays nothing', ({ t_ms }) => {
  expect(loadedOf([kill], delays('s2', [t_ms, 400]), TTL_MS)).toBe(null);
});

test('one session waits for another no longer than that one does: the worst counts, not the sum', () => {
  expect(loadedOf([kill], [...delays('s2', [1100, 30]), ...delays('s3', [1200, 45])], TTL_MS)).toBe(null);
});

test('of the harness’s looks the latest counts, not the sum', () => {
  expect(loadedOf([kill], delays(null, [1100, 30], [1200, 40]), TTL_MS)).toBe(null);
  expect(loadedOf([kill], delays(null, [1100, 30], [1200, 60]), TTL_MS)).toEqual({ delay_ms: 60 });
});

test('of several kills the worst counts; one that nobody recovered from lasts as long as it was watched', () => {
  const never = { t_ms: 2000, recovery_ms: null, censored_ms: 3000 };
  expect(loadedOf([kill, never], delays('s3', [1900, 500], [4900, 70], [5100, 500]), TTL_MS)).toEqual({ delay_ms: 70 });
});

test('a trial without a kill has nothing to be late for', () => {
  expect(loadedOf([], delays('s1', [1100, 400]), TTL_MS)).toBe(null);
});

test('what is too long depends on the lease', () => {
  const late = delays('s2', [1100, 100]);
  expect([900, 1000, 1100].map((ttl_ms) => loadedOf([kill], late, ttl_ms))).toEqual([{ delay_ms: 100 }, null, null]);
});

test('a run counts the trials that are marked, and tells the worst', () => {
  expect(loadOf([{}, { loaded: { delay_ms: 60 } }, { loaded: { delay_ms: 90 } }])).toEqual({ trials: 2, delayMs: 90 });
  expect(loadOf([{}])).toBe(null);
});
