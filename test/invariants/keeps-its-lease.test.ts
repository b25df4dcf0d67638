import { expect, test } from 'vitest';
import type { Entry, History } from '../../src/history/history.ts';
import keepsItsLease from '../../src/invariants/keeps-its-lease.ts';
import { ended, event, history, lock, spawn } from '../fixtures/histories.ts';

const fault = (t_ms: number, text: string, session: string | null): Entry => ({
  type: 'fault',
  t_ms,
  step: 0,
  fault: text,
  phase: 'delivered',
  session,
  windows: ['holding'],
  operation: null,
});
/** s1 works for longer than its lease lasts, and s2 takes the lock when it has run out. */
const takenOver = (...before: Entry[]) =>
  history(
    spawn(0, 's1'),
    spawn(0, 's2'),
    lock(100, 'acquired', 's1', 1),
    ...before,
    lock(30_200, 'acquired', 's2', 2),
    event(30_300, 'a', 'ledger:1', 's2', 2),
    ended(40_000, 's1'),
  );
const broken = (history: History) => keepsItsLease.check(history).map(({ message }) => message);

test('a session that was left alone and did not renew', () => {
  expect(broken(takenOver())).toEqual([
    's1 (token 1) lost its lock to s2 (token 2) at 30.200 s: its lease had run out, though nothing had been done to it',
  ]);
});

test.each([
  ['it renewed', lock(20_000, 'renewed', 's1', 1)],
  ['it was paused', fault(5000, 's1@op#9:pause=30s', 's1')],
  ['it was made to wait', fault(5000, 's1@op#9:yield=s2', 's1')],
  ['the lock was tampered with', fault(5000, 't=5s:expire', null)],
  ['its clock was moved', fault(5000, 's2@op#9:jump=+45s', 's2')],
])('not when %s', (_, entry) => {
  expect(broken(takenOver(entry))).toEqual([]);
});

test('what was done to another is no excuse', () => {
  expect(broken(takenOver(fault(5000, 's2@op#9:pause=1s', 's2')))).toHaveLength(1);
});

test('under the real clock nothing can be said', () => {
  const { trial, entries } = takenOver();
  expect(broken({ trial: { ...trial, driver: 'live' }, entries })).toEqual([]);
});
