import { expect, test } from 'vitest';
import { properLockfile } from '../../src/locks/proper-lockfile.ts';
import { printFault } from '../../src/plan/print.ts';
import { deviationsOf } from '../../src/search/deviations.ts';
import { placesOf } from '../../src/search/places.ts';
import { ended, history, lock, operation, spawn } from '../fixtures/histories.ts';

const adapter = properLockfile('a.lock');
const on = (t_ms: number, session: string, kind: string, path: string, changes = false, error?: string) =>
  operation(t_ms, session, { kind, path, changes, error, lock: path === 'a.lock' });

/** s1 holds the lock, works and releases it while s2 polls; only the lock is common to them. */
const contended = history(
  spawn(0, 's1'),
  spawn(0, 's2'),
  on(1, 's1', 'mkdir', 'a.lock', true),
  lock(1, 'acquired', 's1', null),
  on(2, 's2', 'mkdir', 'a.lock', true, 'EEXIST'),
  on(3, 's2', 'mkdir', 'a.lock', true, 'EEXIST'),
  on(4, 's1', 'write', 'own', true),
  on(5, 's2', 'mkdir', 'a.lock', true, 'EEXIST'),
  on(6, 's2', 'stat', 'elsewhere'),
  on(7, 's1', 'rmdir', 'a.lock', true),
  lock(7, 'released', 's1', null),
  ended(8, 's1'),
  on(9, 's2', 'mkdir', 'a.lock', true),
);

const told = (from = 0) =>
  placesOf(contended, adapter, from).map(({ pair, where }) => `${where.session} ${where.kind}#${where.n}, ${pair}`);

test('a place is where sessions conflict and what is done there can be told from what was done before', () => {
  expect(told()).toEqual([
    's1 mkdir#1, mkdir a.lock while acquiring',
    // Not the second, before which nothing had changed, but the third.
    's2 mkdir#1, mkdir a.lock (EEXIST) while acquiring',
    's2 mkdir#3, mkdir a.lock (EEXIST) while acquiring',
    // Not what only one of them touches, and not what is done when the other has ended.
    's1 rmdir#1, rmdir a.lock while holding+releasing',
  ]);
});

test('places behind an entry are counted from the beginning all the same', () => {
  expect(told(6)).toEqual(['s2 mkdir#3, mkdir a.lock (EEXIST) while acquiring', 's1 rmdir#1, rmdir a.lock while holding+releasing']);
});

test('reading a directory conflicts with making a file in it', () => {
  const listed = (by: string) => history(spawn(0, 's1'), spawn(0, 's2'), on(1, 's1', 'readdir', 'd'), on(2, 's2', 'open', by, true));
  expect(placesOf(listed('d/x'), adapter, 0).map(({ where }) => where.kind)).toEqual(['readdir', 'open']);
  expect(placesOf(listed('e/x'), adapter, 0)).toEqual([]);
});

test('deviations that do what has not been done come first, before changes at first', () => {
  const deviations = deviationsOf(placesOf(contended, adapter, 0), 30_000);
  expect(deviations.slice(0, 6).map(({ fault }) => printFault(fault))).toEqual([
    's1@mkdir(a.lock)#1:pause=until:s2@acquired#1',
    's1@rmdir(a.lock)#1:pause=until:s2@acquired#1',
    's1@mkdir(a.lock)#1:yield=s2',
    's1@rmdir(a.lock)#1:yield=s2',
    's1@mkdir(a.lock)#1:pause=until:s2@event#1',
    's1@rmdir(a.lock)#1:pause=until:s2@event#1',
  ]);
  const units = deviations.map(({ unit }) => unit);
  expect(new Set(units.slice(0, 15)).size).toBe(15);
  expect(units).toHaveLength(20);
});
