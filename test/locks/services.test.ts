import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUpPostgres } from '../../campaigns/lock-services/read.ts';
import type { ServiceKind } from '../../src/campaign/campaign.ts';
import { etcdLease } from '../../src/locks/etcd-lease.ts';
import type { LockAdapter, LockSite } from '../../src/locks/lock.ts';
import { postgresAdvisory } from '../../src/locks/postgres-advisory.ts';
import { postgresRow } from '../../src/locks/postgres-row.ts';
import { redisLock } from '../../src/locks/redis-lock.ts';
import { openServices, type Services } from '../../src/services/services.ts';
import { encode, etcdCall, type RangeResponse } from '../../src/wire/etcd.ts';
import { openPostgres, postgresQuery } from '../../src/wire/postgres.ts';
import { redisCall } from '../../src/wire/redis.ts';
import { there } from '../services/there.ts';

let root = '';
let services: Services;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'locks-'));
  await chmod(root, 0o755);
  services = openServices({ root });
});
afterAll(async () => {
  await services.close();
  await rm(root, { recursive: true, force: true });
});

const TTL_MS = 5_000;

/** As a kernel's session `s1` takes each of them. */
const locks: { name: string; kind: ServiceKind; adapter: LockAdapter; take(url: string): Promise<unknown> }[] = [
  {
    name: 'redis',
    kind: 'redis',
    adapter: redisLock(),
    async take(url) {
      await redisCall(url, 'SET', 'ns:lock', 's1:value', 'NX', 'PX', TTL_MS);
      await redisCall(url, 'INCR', 'ns:token');
    },
  },
  {
    name: 'etcd lease',
    kind: 'etcd',
    adapter: etcdLease(),
    async take(url) {
      const { ID } = await etcdCall<{ ID: string }>(url, 'lease/grant', { TTL: TTL_MS / 1000 });
      await etcdCall(url, 'kv/put', { key: encode('ns/lock'), value: encode('s1'), lease: ID });
    },
  },
  {
    name: 'postgres row',
    kind: 'postgres',
    adapter: postgresRow(),
    async take(url) {
      await setUpPostgres({ url });
      await postgresQuery(url, `insert into lease values ('ns', 's1', 1, clock_timestamp() + interval '${TTL_MS} milliseconds')`);
    },
  },
  {
    name: 'postgres advisory',
    kind: 'postgres',
    adapter: postgresAdvisory(),
    take: async (url) => (await openPostgres(url, 's1')).query("select pg_advisory_lock(8, hashtext('ns'))"),
  },
];
const kinds = there(['redis', 'etcd', 'postgres']);

describe.each(locks.filter(({ kind }) => kinds.some((known) => known === kind)))('$name', ({ kind, adapter, take }) => {
  test('is seen held by its session, is stolen under a new token, and expires', async () => {
    const service = await services.lease(kind, 'ns', false);
    const site = (): LockSite => ({ state: '/', now_ms: Date.now(), ttl_ms: TTL_MS, service: service.access });
    if (adapter.kind === 'postgres-row') await setUpPostgres(service.access);
    expect(await adapter.inspect(site())).toMatchObject({ is: 'free' });
    await take(service.access.url);

    const held = await adapter.inspect(site());
    expect(held).toMatchObject({ is: 'held', holder: { session: 's1' } });
    if (held.is !== 'held') throw new Error('it is not');
    const hasLease = adapter.kind !== 'postgres-advisory';
    if (hasLease) {
      expect(held.expires_at_ms).toBeGreaterThan(Date.now());
      expect(held.expires_at_ms).toBeLessThanOrEqual(Date.now() + TTL_MS);
      expect(await adapter.inspect(site()), 'seen again, it is the same').toEqual(held);
    } else expect(held.expires_at_ms).toBeNull();

    await adapter.steal(site());
    const stolen = await adapter.inspect(site());
    expect(stolen).toMatchObject({ is: 'held', holder: { name: expect.stringContaining('thief') } });
    if (stolen.is === 'held' && held.token !== undefined) expect(stolen.token).toBeGreaterThan(held.token);

    await adapter.expire(site());
    const expired = await adapter.inspect(site());
    if (expired.is === 'held') expect(expired.expires_at_ms).toBeLessThanOrEqual(Date.now() + 1);
    else expect(expired.is).toBe('free');
    await adapter.corrupt(site(), 'remove');
    expect(await adapter.inspect(site())).toMatchObject({ is: 'free' });
    await service.giveBack();
  });
});

test.runIf(kinds.includes('etcd'))('who overwrites a key of etcd leaves its create_revision, by which nobody can be fenced', async () => {
  const service = await services.lease('etcd', 'trap', false);
  const { url } = service.access;
  const key = encode('trap/lock');
  const look = async () => (await etcdCall<RangeResponse>(url, 'kv/range', { key })).kvs?.[0];
  await etcdCall(url, 'kv/put', { key, value: encode('s1') });
  const before = await look();
  await etcdLease().steal({ state: '/', now_ms: Date.now(), ttl_ms: TTL_MS, service: service.access });
  const after = await look();
  expect(after?.create_revision).toBe(before?.create_revision);
  expect(Number(after?.mod_revision)).toBeGreaterThan(Number(before?.mod_revision));
  await service.giveBack();
});

test.runIf(kinds.includes('redis'))('a value that names nobody is nobody’s until it is noted whose it is', async () => {
  const service = await services.lease('redis', 'noted', false);
  const { url } = service.access;
  const site = { state: '/', now_ms: Date.now(), ttl_ms: TTL_MS, service: service.access };
  await redisCall(url, 'SET', 'noted:lock', 'a1b2', 'PX', TTL_MS);
  expect(await redisLock().inspect(site)).toEqual({ is: 'free' });
  await redisCall(url, 'HSET', 'noted:holders', 'a1b2', 's2');
  expect(await redisLock().inspect(site)).toMatchObject({ is: 'held', holder: { session: 's2' } });
  await service.giveBack();
});

test('an adapter without a service says what to give', async () => {
  await expect(async () => redisLock().inspect({ state: '/', now_ms: 0, ttl_ms: 1 })).rejects.toThrow('give the subject one');
});
