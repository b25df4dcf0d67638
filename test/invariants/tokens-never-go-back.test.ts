import { expect, test } from 'vitest';
import invariant from '../../src/invariants/tokens-never-go-back.ts';
import { event, killAndTakeover, lock, spawn, stealAndResume } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);

test('a successor with the token of its predecessor, or with a lower one', () => {
  const entries = (token: number) => [
    spawn(0, 's1'),
    lock(1, 'acquired', 's1', 2),
    lock(2, 'released', 's1', 2),
    lock(3, 'acquired', 's2', token),
  ];
  expect(messages(entries(3))).toEqual([]);
  expect(messages(entries(2))).toEqual(['s2 (token 2) acquired the lock at 0.003 s, though s1 (token 2) had at 0.001 s']);
  expect(messages(entries(1))).toHaveLength(1);
});

test('the harness, when it steals, has a token too', () => {
  const entries = stealAndResume.map((entry) => ('token' in entry && entry.token === 3 ? { ...entry, token: 2 } : entry));
  expect(messages(entries)).toEqual(['s2 (token 2) acquired the lock at 31.600 s, though token 2 had at 1.500 s']);
});

test('the same session may have the same token again, and nobody a lower one', () => {
  expect(messages([lock(1, 'acquired', 's1', 2), lock(2, 'released', 's1', 2), lock(3, 'acquired', 's1', 2)])).toEqual([]);
  expect(messages([lock(1, 'acquired', 's1', 2), lock(2, 'released', 's1', 2), lock(3, 'acquired', 's1', 1)])).toHaveLength(1);
});

test('events count in the order in which they are accepted, not in which they were seen', () => {
  const late = event(33_050, 'x', 'ledger/1.jsonl:2', 's1', 1);
  const events = [
    { id: 'transcribed:1', ref: 'ledger/1.jsonl:1', token: 1 },
    { id: 'x', ref: 'ledger/1.jsonl:2', token: 1 },
    { id: 'transcribed:2', ref: 'ledger/2.jsonl:1', token: 2 },
  ];
  expect(messages([...killAndTakeover, late], { events })).toEqual([]);
  expect(messages([...killAndTakeover, late])).toEqual([
    'x (ledger/1.jsonl:2, token 1) is accepted after transcribed:2 (ledger/2.jsonl:1, token 2)',
  ]);
});

test('a lock and events without tokens say nothing', () => {
  expect(messages([lock(1, 'acquired', 's1', null), event(2, 'a', 'l:1', 's1', null), lock(3, 'acquired', 's2', null)])).toEqual([]);
});
