import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSegment, readLedger } from '../../campaigns/ingest/ledger.ts';
import { acquire, isTakeable, look } from '../../campaigns/ingest/lock.ts';
import { makeDirectories, workDirectory } from '../../campaigns/ingest/work.ts';
import { claimLease } from '../../src/locks/claim-lease.ts';
import { temporaryDirectory } from '../campaigns/ingest/a-state.ts';

const TTL_MS = 30_000;
const lock = claimLease();
const PLANNED = { type: 'planned', plan_id: 'p', windows: 3 } as const;

/** A state directory in which the kernel's own code takes the lock. */
function aLock() {
  const state = temporaryDirectory();
  makeDirectories(state);
  const site = { state, now_ms: Date.now(), ttl_ms: TTL_MS };
  const take = () => acquire(state, look(state, TTL_MS), TTL_MS);
  return { state, site, take };
}

test('nobody holds a lock that has never been taken', () => {
  const { site } = aLock();
  expect(lock.inspect(site)).toEqual({ is: 'free' });
});

test('a holder is told with its session, pid, token and expiry, and a released lock with the last token', () => {
  const { site, take } = aLock();
  process.env.CRASH_CAMPAIGN_SESSION = 's1';
  const held = take();
  delete process.env.CRASH_CAMPAIGN_SESSION;
  expect(lock.inspect(site)).toMatchObject({
    is: 'held',
    token: 1,
    holder: { session: 's1', pid: process.pid },
    expires_at_ms: expect.closeTo(site.now_ms + TTL_MS, -4),
  });
  held?.release();
  expect(lock.inspect(site)).toEqual({ is: 'free', token: 1 });
});

test('a claim holds nothing before every earlier token is sealed', () => {
  const { state, site, take } = aLock();
  take()?.release();
  take();
  expect(lock.inspect(site)).toMatchObject({ is: 'held', token: 2 });
  rmSync(join(state, 'ledger/1.seal'));
  expect(lock.inspect(site)).toEqual({ is: 'free', token: 1 });
});

test('a thief robs the holder and shuts it out of the storage, and works never', () => {
  const { state, site, take } = aLock();
  const robbed = take();
  const append = openSegment(state, 1);
  append(PLANNED);
  lock.steal(site);
  expect(lock.inspect(site)).toEqual({
    is: 'held',
    token: 2,
    holder: { session: undefined, pid: undefined, name: 'thief' },
    expires_at_ms: site.now_ms + TTL_MS,
  });
  expect(robbed?.isMine()).toBe(false);
  append({ type: 'completed', plan_id: 'p' });
  expect(readLedger(state).map(({ type }) => type)).toEqual(['planned']);
  expect(existsSync(workDirectory(state, 1))).toBe(false);
  lock.expire(site);
  expect(take()?.token).toBe(3);
});

test('an expired lease can be taken, and renewed by its holder', () => {
  const { state, site, take } = aLock();
  const holder = take();
  lock.expire(site);
  expect(lock.inspect(site)).toMatchObject({ is: 'held', token: 1, expires_at_ms: site.now_ms });
  expect(isTakeable(look(state, TTL_MS))).toBe(true);
  expect(holder?.isMine()).toBe(true);
  expect(holder?.renew()).toBe(true);
  expect(isTakeable(look(state, TTL_MS))).toBe(false);
});

test.each(['truncate', 'garbage', 'empty'] as const)('%s makes the claim unreadable, and no thief takes a token twice', (how) => {
  const { site, take } = aLock();
  take();
  const now_ms = 1_700_000_000_000;
  lock.corrupt({ ...site, now_ms }, how);
  expect(lock.inspect(site)).toMatchObject({ is: 'unreadable' });
  // As the kernels reckon time, and not this process.
  expect(statSync(join(site.state, 'lock/1.claim')).mtimeMs).toBe(now_ms);
  lock.steal(site);
  expect(lock.inspect(site)).toMatchObject({ is: 'held', holder: { name: 'thief' } });
});

test('removing takes the highest claim away', () => {
  const { site, take } = aLock();
  take();
  lock.corrupt(site, 'remove');
  expect(lock.inspect(site)).toEqual({ is: 'free' });
});

test('what belongs to the lock, and what releases it', () => {
  const covered = ['lock', 'lock/3.claim', 'ledger/2.seal', 'work', 'work/3', 'work/3/renew.claim', 'work/3/2.seal'];
  const others = ['.', 'ledger', 'ledger/2.jsonl', 'work/3/1.json', 'work/3/1.wav', 'media/1.3.wav', 'recording.wav'];
  expect([...covered, ...others].filter((path) => lock.covers(path))).toEqual(covered);
  expect(lock.releases({ kind: 'link', path: 'work/3/release.claim', to: 'lock/9.claim' })).toBe(true);
  expect(lock.releases({ kind: 'link', path: 'work/3/renew.claim', to: 'lock/9.claim' })).toBe(false);
});
