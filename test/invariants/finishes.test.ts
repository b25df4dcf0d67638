import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import invariant from '../../src/invariants/finishes.ts';
import { ended, fault, killAndTakeover, spawn } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const end = (over: Partial<Extract<Entry, { type: 'end' }>>): Entry => ({
  ...(ended(50, 's1', 1) as Extract<Entry, { type: 'end' }>),
  ...over,
});
const thenDone = [spawn(60, 's2', 's1'), ended(70, 's2')];

describe('breaks when', () => {
  test('the trial was given up', () => {
    expect(messages([...killAndTakeover, { type: 'given-up', t_ms: 300_000, why: 'the deadline came' }])).toEqual([
      'given up at 300.000 s: the deadline came',
    ]);
  });

  test('a session was stuck', () => {
    expect(
      messages([{ type: 'stuck', t_ms: 5, session: 's1', real_ms: 10_000 }, end({ code: null, signal: 'SIGKILL' }), ...thenDone]),
    ).toEqual(['s1 was stuck at 0.005 s: no operation for 10000 ms of real time']);
  });

  test('a session died of its own error', () => {
    expect(messages([end({ code: 7, reason: 'ENOENT' }), ...thenDone])).toEqual([
      's1 died of its own error at 0.050 s: code 7, reason ENOENT',
    ]);
    expect(messages([end({ code: null, signal: 'SIGABRT' }), ...thenDone])).toEqual([
      's1 died of its own error at 0.050 s: SIGABRT, no reason given',
    ]);
  });

  test('and is told with what the program said last, and without that it was then given up', () => {
    const gaveUp: Entry = { type: 'given-up', t_ms: 60, why: 'no session finished the work' };
    expect(messages([end({ code: 3, reason: null, last_words: 'FOO is not set' }), gaveUp])).toEqual([
      's1 died of its own error at 0.050 s: code 3, saying “FOO is not set”',
    ]);
  });

  test('nobody found the work done after the last fault', () => {
    expect(messages(killAndTakeover.slice(0, -1))).toEqual(['no session exited 0 after the last fault']);
    expect(messages([...killAndTakeover, fault(40_000, 1, 's3@op#1:kill', 's3')])).toHaveLength(1);
  });
});

describe('holds when', () => {
  test.each(['lock-stolen-mid-run', 'lock-busy'])('a session ended for the reason %s', (reason) => {
    expect(messages([end({ reason }), ...thenDone])).toEqual([]);
  });

  test('a session was killed, by the harness or from outside', () => {
    expect(messages([end({ code: null, signal: 'SIGKILL', asked: true }), ...thenDone])).toEqual([]);
    expect(messages([end({ code: null, signal: 'SIGKILL' }), ...thenDone])).toEqual([]);
  });

  test('a session died of a disk that the harness made fail; another that died all the same is not excused', () => {
    const failing = fault(40, 0, 's1@op#5:fail=ENOSPC', 's1');
    expect(messages([failing, end({ code: 1, reason: null }), ...thenDone])).toEqual([]);
    expect(messages([{ ...failing, session: 's0' } as Entry, end({ code: 1, reason: null }), ...thenDone])).toHaveLength(1);
  });

  test('what came after the end was not delivered, or only a deviation', () => {
    expect(messages([...killAndTakeover, fault(40_000, 1, 's3@op#1:kill', 's3', { phase: 'failed' })])).toEqual([]);
    expect(messages([...killAndTakeover, fault(40_000, 1, 's3@op#1:yield=s1', 's3')])).toEqual([]);
  });
});
