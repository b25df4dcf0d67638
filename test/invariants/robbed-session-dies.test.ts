import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import invariant from '../../src/invariants/robbed-session-dies.ts';
import { amid, died, ended, event, killed, lock, pauseAndTakeover, spawn, stealAndResume } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const endingWith = (...end: Entry[]) => stealAndResume.flatMap((entry) => (entry.type === 'end' && entry.session === 's1' ? end : [entry]));

describe('breaks when the robbed session', () => {
  test('ends well, though events were missing', () => {
    expect(messages(endingWith(ended(1600, 's1')))).toEqual([
      's1 (token 1) was robbed by the harness at 1.500 s and ended with code 0, though events were still missing (transcribed:2 came later), at 1.600 s',
    ]);
  });

  test('ends with no reason or another one', () => {
    expect(messages(endingWith(ended(1600, 's1', 1)))[0]).toMatch(
      /ended with code 1 and no reason instead of lock-stolen-mid-run, at 1.600 s$/,
    );
    expect(messages(endingWith(ended(1600, 's1', 1, 'lock-busy')))[0]).toMatch(/ended with code 1 and the reason lock-busy instead of/);
  });

  test('takes the lock again', () => {
    const goesOn = endingWith().map((entry) => ('session' in entry && entry.session === 's2' ? { ...entry, session: 's1' } : entry));
    expect(messages(goesOn)).toEqual([
      's1 (token 1) was robbed by the harness at 1.500 s and went on, and took the lock again, at 31.600 s',
    ]);
  });

  test('was robbed by a session', () => {
    const entries = pauseAndTakeover.map((entry) => (entry.type === 'end' && entry.session === 's1' ? ended(41_502, 's1') : entry));
    expect(messages(entries)[0]).toMatch(/^s1 \(token 1\) was robbed by s2 \(token 2\) at 30.200 s and ended with code 0/);
  });
});

describe('holds when the robbed session', () => {
  test('was killed before it could find out', () => {
    expect(messages(endingWith(killed(1600, 's1'), died(1600, 's1')))).toEqual([]);
  });

  test('had nothing left to do', () => {
    const entries = [
      spawn(0, 's1'),
      lock(1, 'acquired', 's1', 1),
      event(2, 'a', 'l:1', 's1', 1),
      lock(3, 'stolen', null, 2),
      ended(4, 's1'),
    ];
    expect(messages(entries)).toEqual([]);
    expect(messages(amid(entries, spawn(4, 's2'), event(5, 'b', 'l:2', 's2', 2)))).toHaveLength(1);
  });

  test('had died before its lock was taken', () => {
    const entries = [
      spawn(0, 's1'),
      lock(1, 'acquired', 's1', 1),
      ended(2, 's1'),
      spawn(3, 's2'),
      lock(30_100, 'acquired', 's2', 2),
      event(30_101, 'a', 'l:1', 's2', 2),
    ];
    expect(messages(entries)).toEqual([]);
  });
});
