import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import invariant from '../../src/invariants/one-holder-at-a-time.ts';
import {
  continued,
  ended,
  facts,
  fault,
  killAndTakeover,
  killed,
  lock,
  operation,
  pauseAndTakeover,
  paused,
  say,
  spawn,
  whole,
} from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const two = [spawn(0, 's1'), spawn(0, 's2'), lock(100, 'acquired', 's1', 1)];

describe('the lock', () => {
  test('taken from a living holder whose lease is good', () => {
    expect(messages([...two, lock(5000, 'acquired', 's2', 2)])).toEqual([
      's2 (token 2) acquired the lock at 5.000 s while s1 (token 1) had been the holder since 0.100 s, under a lease until 30.100 s',
    ]);
  });

  test.each<[string, Entry[]]>([
    ['its lease had run out', [lock(30_100, 'acquired', 's2', 2)]],
    ['it was made to run out', [lock(200, 'expired', 's1', 1, 199), lock(300, 'acquired', 's2', 2)]],
    ['the harness stole it', [lock(200, 'stolen', null, 2), lock(300, 'acquired', 's2', 3)]],
    [
      'the harness damaged it',
      [fault(200, 0, 's1@op#5:corrupt=remove', 's1'), lock(200, 'damaged', 's1', null), lock(300, 'acquired', 's2', 2)],
    ],
    ['it was released', [lock(200, 'released', 's1', 1), lock(300, 'acquired', 's2', 2)]],
    ['its holder had died', [killed(200, 's1', 29_000), lock(300, 'acquired', 's2', 2)]],
  ])('may be taken when %s', (_, entries) => {
    expect(messages([...two, ...entries])).toEqual([]);
  });

  test.each<[string, Entry[]]>([
    ['to be damaged and was not', [fault(200, 0, 's1@op#5:corrupt=empty', 's1', { phase: 'failed' }), lock(300, 'acquired', 's2', 2)]],
    ['renewed in time', [lock(20_000, 'renewed', 's1', 1), lock(30_100, 'acquired', 's2', 2)]],
    [
      'renewed after it was made to run out',
      [lock(200, 'expired', 's1', 1, 199), lock(210, 'renewed', 's1', 1), lock(300, 'acquired', 's2', 2)],
    ],
    ['damaged by one of its own users', [lock(200, 'damaged', 's1', null), lock(300, 'acquired', 's2', 2)]],
    [
      'removed by another',
      [operation(200, 's2', { lock: true, changes: true }), lock(200, 'released', 's1', 1), lock(300, 'acquired', 's2', 2)],
    ],
    ['one that never runs out', [lock(210, 'renewed', 's1', 1, null), lock(99_000, 'acquired', 's2', 2)]],
  ])('may not when it was %s', (_, entries) => {
    expect(messages([...two, ...entries])).toHaveLength(1);
  });

  test('is not shared under one token, whatever the lease', () => {
    expect(messages([...two, lock(30_100, 'acquired', 's2', 1)])[0]).toMatch(/under the same token$/);
    expect(messages([...two, lock(200, 'stolen', null, 2), lock(30_300, 'acquired', 's2', 1)])).toHaveLength(1);
    expect(messages([...two, lock(200, 'released', 's1', 1), lock(300, 'acquired', 's2', 1)])).toEqual([]);
    expect(messages([...two, ended(300, 's1'), lock(30_100, 'acquired', 's2', 1)])).toEqual([]);
  });
});

describe('the critical section', () => {
  const inside = [...two, say(101, 's1', 'enter')];
  const unnamed = [spawn(0, 's1'), spawn(0, 's2'), lock(100, 'acquired', null, null), say(101, 's1', 'enter')];

  test('entered while another is in it under a good lease', () => {
    expect(messages([...inside, say(5000, 's2', 'enter')])).toEqual([
      's2 entered the critical section at 5.000 s while s1 (token 1) had been the holder since 0.101 s, under a lease until 30.100 s',
    ]);
  });

  test.each<[string, Entry[]]>([
    ['has left it', [say(200, 's1', 'exit'), say(201, 's2', 'enter')]],
    ['has ended', [ended(200, 's1', 1), say(201, 's2', 'enter')]],
    ['has slept past its lease', pauseAndTakeover.slice(3)],
    ['is itself', [say(200, 's1', 'enter')]],
  ])('may be entered when the other %s', (_, entries) => {
    expect(messages([...inside, ...entries])).toEqual([]);
  });

  test('is named once for a pair, lock and section together', () => {
    expect(messages([...inside, lock(5000, 'acquired', 's2', 2), say(5001, 's2', 'enter')])).toHaveLength(1);
  });

  test('of a third, because a late holder removed its successor’s lock', () => {
    const late = [...pauseAndTakeover.slice(0, 10), continued(41_500, 's1'), operation(41_501, 's1', { lock: true, changes: true })];
    const third = [lock(41_501, 'released', 's2', 2), spawn(41_502, 's3'), lock(41_510, 'acquired', 's3', 3), say(41_511, 's3', 'enter')];
    expect(messages([...late, ...third])).toEqual([
      's3 (token 3) acquired the lock at 41.510 s while s2 (token 2) had been the holder since 30.200 s, under a lease until 60.200 s',
    ]);
  });

  test('under a lock that names nobody, may be entered only when the other slept for a whole lease', () => {
    expect(messages([...unnamed, say(31_000, 's2', 'enter')])).toHaveLength(1);
    expect(messages([...unnamed, paused(1000, 's1'), say(31_000, 's2', 'enter')])).toEqual([]);
    expect(messages([...unnamed, paused(1000, 's1'), continued(2000, 's1'), say(31_000, 's2', 'enter')])).toHaveLength(1);
    expect(messages([...unnamed, paused(1000, 's1'), continued(40_000, 's1'), say(41_000, 's2', 'enter')])).toEqual([]);
  });

  test('under live, lines that come close together may have been said in the other order', () => {
    const handover = whole([
      ...two,
      say(101, 's1', 'enter'),
      say(500, 's2', 'enter'),
      say(510, 's1', 'exit'),
      lock(511, 'released', 's1', 1),
    ]);
    expect(invariant.check(handover)).toHaveLength(1);
    expect(invariant.check({ ...handover, trial: { ...facts, driver: 'live' } })).toEqual([]);
  });
});

test('a successor of the dead overlaps with nobody', () => {
  expect(messages(killAndTakeover)).toEqual([]);
});
