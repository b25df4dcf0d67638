import { expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import { tenuresOf } from '../../src/history/tenures.ts';
import { ended, facts, history, killed, lock, operation, paused, spawn } from '../fixtures/histories.ts';

const tenures = (entries: Entry[], driver: 'sim' | 'live' = 'sim') =>
  tenuresOf({ ...history(...entries), trial: { ...facts, driver } }).map(({ session, token, from, to, how }) => [
    session,
    token,
    from,
    to,
    how,
  ]);
const first = lock(1, 'acquired', 's1', 1);
const second = lock(9, 'acquired', 's2', 2);

test.each<[string, Entry[], string | null]>([
  ['by a living other', [], 'robbed'],
  ['after a release', [lock(2, 'released', 's1', 1)], 'released'],
  ['after its death', [ended(2, 's1')], 'inherited'],
  ['after its kill', [killed(2, 's1')], 'inherited'],
  ['after another removed it', [operation(2, 's2', { lock: true }), lock(2, 'released', 's1', 1)], 'robbed'],
  ['after it was damaged', [lock(2, 'damaged', 's1', null)], 'robbed'],
])('taken %s', (_, between, how) => {
  expect(tenures([first, ...between, second])[0]?.[4]).toBe(how);
});

test('seen again with the same token is the same tenure; with another it is a new one', () => {
  expect(tenures([first, lock(2, 'damaged', 's1', null), lock(3, 'acquired', 's1', 1)])).toEqual([['s1', 1, 0, null, null]]);
  expect(tenures([first, lock(3, 'acquired', 's1', 2)])).toEqual([
    ['s1', 1, 0, 1, 'released'],
    ['s1', 2, 1, null, null],
  ]);
});

test('a lock that comes back to a dead holder is not taken by it again', () => {
  const again = lock(11, 'acquired', 's1', 1);
  expect(tenures([first, killed(2, 's1'), second, killed(10, 's2'), again, lock(12, 'acquired', 's3', 3)])).toEqual([
    ['s1', 1, 0, 2, 'inherited'],
    ['s2', 2, 2, 5, 'inherited'],
    ['s3', 3, 5, null, null],
  ]);
});

test('a holder that overwrites the thief’s lock has taken it again', () => {
  expect(tenures([first, lock(2, 'stolen', null, 2), lock(3, 'renewed', 's1', 1)])).toEqual([
    ['s1', 1, 0, 1, 'robbed'],
    [null, 2, 1, 2, 'inherited'],
    ['s1', 1, 2, null, null],
  ]);
});

test('under live, a running holder with a good lease may have released unseen; one that is paused, or whose lease is over, has not', () => {
  const how = (entries: Entry[]) => tenures([spawn(0, 's1'), first, ...entries], 'live')[0]?.[4];
  expect(how([second])).toBe('released');
  expect(how([paused(2, 's1'), second])).toBe('robbed');
  expect(how([lock(40_000, 'acquired', 's2', 2)])).toBe('robbed');
  expect(how([lock(2, 'stolen', null, 2)])).toBe('robbed');
  expect(how([paused(2, 's1'), lock(3, 'released', 's1', 1), second])).toBe('robbed');
});
