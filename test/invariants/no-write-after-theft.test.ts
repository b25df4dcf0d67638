import { describe, expect, test } from 'vitest';
import invariant from '../../src/invariants/no-write-after-theft.ts';
import {
  amid,
  event,
  facts,
  killAndTakeover,
  lock,
  operation,
  pauseAndTakeover,
  spawn,
  stealAndResume,
  whole,
} from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);

test('a late write after a legitimate takeover', () => {
  expect(messages(amid(pauseAndTakeover, event(41_500, 'transcribed:2', 'ledger/1.jsonl:2', 's1', 1)))).toEqual([
    'transcribed:2 (ledger/1.jsonl:2) by s1 (token 1) is accepted at 41.500 s, though its lock passed to s2 (token 2) at 30.200 s',
  ]);
});

test('a write after a theft by the harness', () => {
  expect(messages(amid(stealAndResume, event(1550, 'transcribed:2', 'ledger/1.jsonl:2', 's1', 1)))[0]).toMatch(
    /though its lock was stolen at 1.500 s$/,
  );
});

describe('the writer is told', () => {
  test('by the token, where the event names no session', () => {
    expect(messages(amid(pauseAndTakeover, event(41_500, 'x', 'l', null, 1)))).toHaveLength(1);
    expect(messages(amid(pauseAndTakeover, event(41_500, 'x', 'l', null, 2)))).toEqual([]);
  });

  test('by the session alone, where there is no token', () => {
    expect(messages(amid(pauseAndTakeover, event(41_500, 'x', 'l', 's1', null)))).toHaveLength(1);
    expect(messages(amid(pauseAndTakeover, event(41_500, 'x', 'l', 's2', null)))).toEqual([]);
  });
});

test('an old token betrays a session that has since got the lock again', () => {
  const entries = [spawn(0, 's1'), lock(1, 'acquired', 's1', 1), lock(2, 'stolen', null, 2), lock(30_003, 'acquired', 's1', 3)];
  expect(messages([...entries, event(30_004, 'a', 'l:1', 's1', 3)])).toEqual([]);
  expect(messages([...entries, event(30_004, 'a', 'l:1', 's1', null)])).toEqual([]);
  expect(messages([...entries, event(30_004, 'a', 'l:1', 's1', 1)])).toHaveLength(1);
});

test('getting the lock again later excuses nothing', () => {
  const robbed = [spawn(0, 's1'), lock(1, 'acquired', 's1', null), lock(2, 'stolen', null, null), event(3, 'a', 'l:1', 's1', null)];
  expect(messages([...robbed, lock(30_003, 'acquired', 's1', null)])).toHaveLength(1);
});

test('two under one token are told apart by their names', () => {
  const entries = pauseAndTakeover.map((entry) => ('token' in entry && entry.token === 2 ? { ...entry, token: 1 } : entry));
  expect(messages(entries)).toEqual([]);
});

test('the dead don’t write: what shows late was written before the kill', () => {
  expect(messages(amid(killAndTakeover, event(31_500, 'x', 'ledger/1.jsonl:2', 's1', 1)))).toEqual([]);
});

test('a rival that removes the lock robs its holder as well as one that overwrites it', () => {
  const removed = (session: string) => [
    operation(30_100, session, { kind: 'rmdir', changes: true, lock: true }),
    lock(30_100, 'released', 's1', 1),
  ];
  const late = event(41_500, 'x', 'l', 's1', 1);
  expect(messages(amid(pauseAndTakeover, ...removed('s2'), late))).toHaveLength(1);
  expect(messages(amid(pauseAndTakeover, ...removed('s1'), late))).toEqual([]);
});

test('under live, a change from one running holder to the next may have been a release that nobody saw', () => {
  const handover = [
    spawn(0, 's1'),
    spawn(0, 's2'),
    lock(1, 'acquired', 's1', 1),
    lock(900, 'acquired', 's2', 2),
    event(901, 'a', 'l:1', 's1', 1),
  ];
  const live = { ...whole(handover), trial: { ...facts, driver: 'live' as const } };
  expect(invariant.check(live)).toEqual([]);
  expect(messages(handover)).toHaveLength(1);
  const late = whole(amid(pauseAndTakeover, event(41_500, 'x', 'l', 's1', 1)));
  expect(invariant.check({ ...late, trial: live.trial })).toHaveLength(1);
});
