import { expect, test } from 'vitest';
import noForeignRelease from '../../src/invariants/no-foreign-release.ts';
import { died, ended, history, killed, lock, operation, spawn } from '../fixtures/histories.ts';

const rmdir = (t_ms: number, session: string) => operation(t_ms, session, { kind: 'rmdir', path: 'x.lock', changes: true, lock: true });
const start = [spawn(0, 's1'), spawn(0, 's2'), lock(100, 'acquired', 's1', null)];
const broken = (...entries: Parameters<typeof history>) => noForeignRelease.check(history(...start, ...entries));

test('the holder may free its lock', () => {
  expect(broken(rmdir(200, 's1'), lock(200, 'released', 's1', null))).toEqual([]);
});

test('another may not, while the lease is good', () => {
  const [violation] = broken(rmdir(200, 's2'), lock(200, 'released', 's1', null));
  expect(violation).toMatchObject({ sessions: ['s2', 's1'], entries: [2, 3, 4], site: 'rmdir x.lock by one that wanted it' });
  expect(violation?.message).toBe('s2 freed the lock at 0.200 s (rmdir x.lock), which s1 had held since 0.100 s and holds still');
});

test('a stale lock, or a dead holder’s, may be freed by anybody', () => {
  expect(broken(rmdir(31_000, 's2'), lock(31_000, 'released', 's1', null))).toEqual([]);
  expect(broken(killed(150, 's1', 29_950), died(150, 's1'), rmdir(200, 's2'), lock(200, 'released', 's1', null))).toEqual([]);
});

test('a release that comes after the lease frees the successor’s lock; what follows from it is not counted again', () => {
  const violations = broken(
    rmdir(31_000, 's2'),
    lock(31_000, 'released', 's1', null),
    lock(31_000, 'acquired', 's2', null),
    rmdir(31_100, 's1'),
    lock(31_100, 'released', 's2', null),
    lock(31_200, 'acquired', 's1', null),
    rmdir(31_300, 's2'),
    lock(31_300, 'released', 's1', null),
    ended(31_400, 's1'),
  );
  expect(violations).toMatchObject([{ sessions: ['s1', 's2'], site: 'rmdir x.lock by one that had lost it' }]);
});
