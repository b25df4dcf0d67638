import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import { openWindows, type PendingOperation } from '../../src/history/windows.ts';

const spawn = (session: string, replaces: string | null = null): Entry => ({
  type: 'spawn',
  t_ms: 0,
  session,
  pid: 1,
  host: 'h1',
  subject: 'x',
  replaces,
});
const lock = (
  change: 'acquired' | 'renewed' | 'released' | 'stolen' | 'expired' | 'damaged',
  session: string | null,
  token = 1,
): Entry => ({
  type: 'lock',
  t_ms: 0,
  change,
  session,
  token,
  expires_ms: 30_000,
});
const operation = (session: string, over: PendingOperation): Entry => ({
  type: 'operation',
  t_ms: 0,
  session,
  n: 1,
  kind: 'open',
  path: 'p',
  ...over,
});
const event = (session: string | null, token: number | null = null): Entry => ({
  type: 'event',
  t_ms: 0,
  id: 'e',
  ref: 'r',
  session,
  token,
});
const killed = (session: string, held_lock: boolean): Entry => ({
  type: 'killed',
  t_ms: 0,
  session,
  windows: [],
  held_lock,
  lease_left_ms: null,
});
const end = (session: string, signal: string | null = 'SIGKILL'): Entry => ({
  type: 'end',
  t_ms: 0,
  session,
  code: null,
  signal,
  asked: true,
  reason: null,
});
const lookAtLock = { lock: true, changes: false };
const changeLock = { lock: true, changes: true };
const write = { lock: false, changes: true };
const read = { lock: false, changes: false };

function after(entries: Entry[], driver: 'sim' | 'live' = 'sim') {
  const windows = openWindows(driver);
  for (const entry of entries) windows.observe(entry);
  return windows;
}

describe('acquiring', () => {
  test('under sim from the first lock operation on, that operation included', () => {
    const fresh = after([spawn('s1')]);
    expect(fresh.of('s1')).toEqual(['idle']);
    expect(fresh.of('s1', write)).toEqual(['idle']);
    expect(fresh.of('s1', lookAtLock)).toEqual(['acquiring']);
    expect(after([spawn('s1'), operation('s1', lookAtLock)]).of('s1', read)).toEqual(['acquiring']);
  });

  test('under live from the spawn on', () => {
    expect(after([spawn('s1')], 'live').of('s1')).toEqual(['acquiring']);
  });

  test('a robbed session that looks at the lock is not acquiring; one that changes it is', () => {
    const robbed = after([spawn('s1'), lock('acquired', 's1'), lock('stolen', null, 2), operation('s1', lookAtLock)]);
    expect(robbed.of('s1', lookAtLock)).toEqual(['idle']);
    expect(robbed.of('s1', changeLock)).toEqual(['acquiring']);
  });
});

describe('holding', () => {
  const holding = after([spawn('s1'), operation('s1', changeLock), lock('acquired', 's1')]);

  test.each([
    [undefined, ['holding']],
    [read, ['holding']],
    [lookAtLock, ['holding']],
    [write, ['holding', 'writing']],
    [changeLock, ['holding', 'renewing']],
    [{ ...changeLock, releasing: true }, ['holding', 'releasing']],
  ] as const)('pending %o is %o', (pending, windows) => {
    expect(holding.of('s1', pending)).toEqual(windows);
  });

  test.each([
    ['stolen', ['idle']],
    ['damaged', ['idle']],
    ['released', ['idle']],
    ['expired', ['holding']],
  ] as const)('after %s: %o', (change, windows) => {
    expect(after([spawn('s1'), lock('acquired', 's1'), lock(change, null)]).of('s1')).toEqual(windows);
  });

  test('the rest of a release, after the lock is free, is still releasing', () => {
    const released = after([spawn('s1'), lock('acquired', 's1'), lock('released', 's1')]);
    expect(released.of('s1', { ...changeLock, releasing: true })).toEqual(['releasing']);
  });

  test('passes to who acquires next, and back by a renewal', () => {
    const passed = [spawn('s1'), spawn('s2'), lock('acquired', 's1'), lock('acquired', 's2', 2)];
    expect(after(passed).of('s1')).toEqual(['idle']);
    expect(after(passed).of('s2')).toEqual(['holding']);
    expect(after([...passed, lock('renewed', 's1', 1)]).of('s1')).toEqual(['holding']);
  });
});

describe('recovering', () => {
  const crash = [spawn('s1'), lock('acquired', 's1'), killed('s1', true), end('s1')];

  test('who replaces a killed session, until its own first event', () => {
    const entries = [spawn('s1'), killed('s1', false), end('s1'), spawn('s2', 's1'), spawn('s3')];
    expect(after(entries).of('s2')).toEqual(['recovering']);
    expect(after(entries).of('s3')).toEqual(['idle']);
    expect(after([...entries, event('s3')]).of('s2')).toEqual(['recovering']);
    expect(after([...entries, event('s2')]).of('s2')).toEqual(['idle']);
  });

  test('who starts while a dead holder has not been made good for', () => {
    expect(after([...crash, spawn('s2')]).of('s2')).toEqual(['recovering']);
    expect(after([...crash, event('s9'), spawn('s2')]).of('s2')).toEqual(['idle']);
  });

  test('who takes over from a dead holder for whom it had waited', () => {
    const entries = [spawn('s2'), operation('s2', lookAtLock), ...crash];
    expect(after(entries).of('s2')).toEqual(['acquiring']);
    expect(after([...entries, lock('acquired', 's2', 2)]).of('s2', write)).toEqual(['holding', 'writing', 'recovering']);
  });

  test('an event that names no session is its token holder’s', () => {
    const entries = [...crash, spawn('s2', 's1'), lock('acquired', 's2', 2)];
    expect(after([...entries, event(null, 2)]).of('s2')).toEqual(['holding']);
    expect(after([...entries, event(null, 1)]).of('s2')).toEqual(['holding', 'recovering']);
  });

  test('nobody, when the one replaced ended by itself', () => {
    expect(after([spawn('s1'), end('s1', null), spawn('s2', 's1')]).of('s2')).toEqual(['idle']);
  });
});

const session = fc.constantFrom('s1', 's2', 's3');
const anyOperation = fc.record({ lock: fc.boolean(), changes: fc.boolean(), releasing: fc.boolean() });
const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  session.map((s) => spawn(s)),
  fc.tuple(session, anyOperation).map(([s, o]) => operation(s, o)),
  fc
    .tuple(fc.constantFrom('acquired', 'renewed', 'released', 'stolen', 'expired', 'damaged'), session, fc.nat(3))
    .map(([c, s, t]) => lock(c, s, t)),
  fc.tuple(session, fc.option(fc.nat(3))).map(([s, t]) => event(t === null ? s : null, t)),
  fc.tuple(session, fc.boolean()).map(([s, held]) => killed(s, held)),
  session.map((s) => end(s)),
);

test('at most one session holds; nobody both holds and acquires; idle stands alone', () => {
  fc.assert(
    fc.property(fc.array(anyEntry), anyOperation, (entries, pending) => {
      const windows = after(entries);
      const all = ['s1', 's2', 's3'].map((s) => windows.of(s, pending));
      expect(all.filter((w) => w.includes('holding')).length).toBeLessThanOrEqual(1);
      for (const w of all) {
        expect(w.includes('holding') && w.includes('acquiring')).toBe(false);
        expect(w.length === 1 || !w.includes('idle')).toBe(true);
        expect(new Set(w).size).toBe(w.length);
      }
    }),
  );
});
