import { expect, test } from 'vitest';
import invariant from '../../src/invariants/recovers-within.ts';
import { died, event, killAndTakeover, killed, spawn } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const kill = [spawn(0, 's1'), killed(1000, 's1', 29_000), died(1000, 's1'), spawn(1000, 's2', 's1')];

test('up to the bound and no longer', () => {
  expect(messages([...kill, event(61_000, 'a', 'l:1', 's2', 1)])).toEqual([]);
  expect(messages([...kill, event(61_001, 'a', 'l:1', 's2', 1)])).toEqual([
    'the kill of s1 at 1.000 s, with the lock left behind, took 60.001 s to recover; allowed are 60.000 s',
  ]);
});

test('censored beyond the bound, but not before it', () => {
  const givenUp = (t_ms: number) => [...kill, { type: 'given-up' as const, t_ms, why: 'deadline' }];
  expect(messages(givenUp(40_000))).toEqual([]);
  expect(messages(givenUp(70_000))[0]).toMatch(/had not recovered 69.001 s later; allowed are 60.000 s$/);
});

test('each kill by itself', () => {
  expect(
    messages([...killAndTakeover, spawn(40_000, 's3'), killed(41_000, 's3'), died(41_000, 's3'), event(200_000, 'z', 'l:9', 's4', 9)]),
  ).toHaveLength(1);
});
