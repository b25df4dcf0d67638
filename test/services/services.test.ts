import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { locate, requireServers, SERVERS } from '../../src/services/servers.ts';
import { openServices, type Services } from '../../src/services/services.ts';
import { etcdCall } from '../../src/wire/etcd.ts';
import { postgresQuery } from '../../src/wire/postgres.ts';
import { redisCall } from '../../src/wire/redis.ts';
import { cli } from '../cli/cli.ts';
import { answers } from './seen.ts';
import { there } from './there.ts';

let root = '';
let services: Services;
beforeEach(async () => {
  // A server that another user runs must get there.
  root = await mkdtemp(join(tmpdir(), 'services-'));
  await chmod(root, 0o755);
  services = openServices({ root });
});
afterEach(async () => {
  await services.close();
  await rm(root, { recursive: true, force: true });
});

/** Writes something, and says whether it is there. */
const memory = {
  etcd: {
    write: (url: string) => etcdCall(url, 'kv/put', { key: 'AAAA', value: 'AAAA' }),
    isThere: async (url: string) => 'kvs' in (await etcdCall<object>(url, 'kv/range', { key: 'AAAA' })),
  },
  postgres: {
    write: (url: string) => postgresQuery(url, 'create table remembered ()'),
    isThere: async (url: string) => (await postgresQuery(url, "select to_regclass('remembered') as it"))[0]?.it !== null,
  },
  redis: {
    write: (url: string) => redisCall(url, 'SET', 'remembered', 1),
    isThere: async (url: string) => (await redisCall(url, 'GET', 'remembered')) !== null,
  },
};

describe.each(there(['etcd', 'postgres', 'redis', 'redis-aof']))('%s', (kind) => {
  const { write, isThere } = memory[kind === 'redis-aof' ? 'redis' : kind];

  test('is killed and started again, and nothing is left of it', async () => {
    const service = await services.lease(kind, 'one', false);
    const { url } = service.access;
    expect(service.life()).toBe(1);
    await write(url);
    expect(await service.kill()).toEqual({ delivered: true });
    expect(service.life()).toBeNull();
    expect(await answers(url)).toBe(false);
    expect(await service.kill()).toMatchObject({ delivered: false });
    service.start();
    await service.restored();
    expect(service.life()).toBe(2);
    // The connections of its first life are found out when they are used.
    const seen = await isThere(url).catch(() => isThere(url));
    expect(seen).toBe(kind !== 'redis');
    await service.giveBack();
    const next = await services.lease(kind, 'two', false);
    expect(next.access).toEqual({ url, namespace: 'two' });
    await services.close();
    expect(await answers(url)).toBe(false);
    expect(readdirSync(root)).toEqual([]);
  });
});

test.runIf(locate('redis-server'))('two trials at once have two servers, and one that was left down is not given to another', async () => {
  const [one, two] = await Promise.all([services.lease('redis', 'one', false), services.lease('redis', 'two', false)]);
  expect(one.access.url).not.toBe(two.access.url);
  await one.kill();
  await one.giveBack();
  await two.giveBack();
  expect((await services.lease('redis', 'three', false)).access.url).toBe(two.access.url);
});

test('a service that runs already is used by all and never killed', async () => {
  const running = openServices({ root, running: { etcd: 'http://127.0.0.1:9' } });
  const service = await running.lease('etcd', 'one', false);
  expect(service.access.url).toBe('http://127.0.0.1:9');
  expect(await service.kill()).toEqual({ delivered: false, why: 'http://127.0.0.1:9 runs elsewhere, and is not killed' });
  await running.close();
});

test('a session behind a proxy has an address of its own', async () => {
  const running = openServices({ root, running: { postgres: 'postgresql://me@127.0.0.1:9/db' } });
  const service = await running.lease('postgres', 'one', true);
  const urls = [await service.urlFor('s1'), await service.urlFor('s2')].map((url) => new URL(url));
  expect(new Set(urls.map(({ port }) => port)).size).toBe(2);
  expect(urls.map(({ username, pathname }) => [username, pathname])).toEqual([
    ['me', '/db'],
    ['me', '/db'],
  ]);
  expect(service.disturb('s3', { is: 'cut' })).toBeNull();
  service.disturb('s1', { is: 'cut' })?.();
  await service.giveBack();
});

test('a server that is not there is named with its Debian package', async () => {
  const { PATH } = process.env;
  try {
    process.env.PATH = '';
    expect(() => requireServers(['etcd'])).toThrow(/etcd.*not on this machine.*etcd-server/s);
    expect(() => requireServers([])).not.toThrow();
  } finally {
    process.env.PATH = PATH;
  }
  const env = { PATH: '' };
  const run = await cli(['run', 'lock-services', '--seeds', '1'], { env });
  expect({ ...run, lines: String(run.stderr).split('\n').length }).toMatchObject({ exitCode: 64, stdout: '', lines: 1 });
  expect(run.stderr).toMatch(/redis-server, which is not on this machine.*apt-get install.*--service redis-aof=/);
  expect((await cli(['doctor'], { env })).stdout).toMatch(/etcd .*not here.*Debian package etcd-server/);
  expect(Object.values(SERVERS).map(({ debian }) => debian)).toEqual(['etcd-server', 'postgresql', 'redis-server', 'redis-server']);
});
