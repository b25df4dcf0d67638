import { expect, test } from 'vitest';
import invariant from '../../src/invariants/resumes-without-redoing.ts';
import { amid, event, fault, killAndTakeover, work } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const again = work(33_010, 'window.1', 'window.1@2', 's2', 2);

test('a window that was finished before the takeover is done again', () => {
  expect(messages(amid(killAndTakeover, again))).toEqual([
    'window.1 was finished by s1 (token 1) at 1.002 s (window.1@1) and done again at 33.010 s (window.1@2) by s2 (token 2), which acquired the lock at 31.200 s',
  ]);
});

test('whoever did it is told by the token, or by who held the lock', () => {
  expect(messages(amid(killAndTakeover, { ...again, session: null } as typeof again))).toHaveLength(1);
  expect(messages(amid(killAndTakeover, { ...again, session: null, token: null } as typeof again))).toHaveLength(1);
});

test('work of a dead session that shows after the takeover was not there to be found', () => {
  const late = work(32_000, 'window.3', 'window.3@1', 's1', 1);
  expect(messages(amid(killAndTakeover, late, work(33_011, 'window.3', 'window.3@2', 's2', 2)))).toEqual([]);
});

test('the same session doing it twice in one holding is not resuming', () => {
  expect(messages(amid(killAndTakeover, work(1003, 'window.1', 'window.1@1b', 's1', 1)))).toEqual([]);
});

test('what a power cut may have taken has to be done again', () => {
  expect(messages(amid(killAndTakeover, fault(1500, 0, 't=1.5s:power-cut', 's1'), again))).toEqual([]);
});

test('events are for no-duplicate-events', () => {
  expect(messages(amid(killAndTakeover, event(33_010, 'transcribed:1', 'ledger/2.jsonl:2', 's2', 2)))).toEqual([]);
});
