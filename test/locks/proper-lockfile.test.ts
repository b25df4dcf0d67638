import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: the package brings no types
import lockfile from 'proper-lockfile';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { properLockfile } from '../../src/locks/proper-lockfile.ts';

const adapter = properLockfile('ledger.lock');
const ttl_ms = 30_000;
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'proper-lockfile-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const site = () => ({ state, now_ms: Date.now(), ttl_ms });
const lock = () => lockfile.lock(join(state, 'ledger'), { realpath: false, stale: ttl_ms, update: 1_000 });
const isLocked = () => lockfile.check(join(state, 'ledger'), { realpath: false, stale: ttl_ms });

test('sees what the package does', async () => {
  expect(adapter.inspect(site())).toEqual({ is: 'free' });
  const before_ms = Date.now();
  const release = await lock();
  const held = adapter.inspect(site());
  expect(held).toMatchObject({ is: 'held', holder: {} });
  // The package may stamp its first lock up to a second ahead, to learn how exact times are.
  const lease_ms = held.is === 'held' ? (held.expires_at_ms ?? 0) - before_ms : 0;
  expect(lease_ms).toBeGreaterThanOrEqual(ttl_ms - 1);
  expect(lease_ms).toBeLessThan(ttl_ms + 10_000);
  await release();
  expect(adapter.inspect(site())).toEqual({ is: 'free' });
});

test('the package takes a lease for run out that the adapter has ended', async () => {
  const release = await lock();
  expect(await isLocked()).toBe(true);
  adapter.expire(site());
  expect(await isLocked()).toBe(false);
  await release();
});

test('a stolen lock is held for a whole lease', async () => {
  const release = await lock();
  const now_ms = Date.now();
  adapter.steal({ state, now_ms, ttl_ms });
  expect(adapter.inspect(site())).toMatchObject({ is: 'held', expires_at_ms: now_ms + ttl_ms });
  expect(await isLocked()).toBe(true);
  await release();
});

test.each(['truncate', 'garbage', 'empty'] as const)('%s leaves something that is no lock', (how) => {
  adapter.steal(site());
  adapter.corrupt(site(), how);
  expect(adapter.inspect(site())).toEqual({ is: 'unreadable', why: 'ledger.lock is no directory' });
});

test('remove leaves nothing', () => {
  adapter.steal(site());
  adapter.corrupt(site(), 'remove');
  expect(existsSync(join(state, 'ledger.lock'))).toBe(false);
});
