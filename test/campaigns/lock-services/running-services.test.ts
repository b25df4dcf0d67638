import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TrialRecord } from '../../../src/history/record.ts';
import { type LeasedService, openServices, type Services } from '../../../src/services/services.ts';
import { decode, encode, etcdCall, type RangeResponse, withPrefix } from '../../../src/wire/etcd.ts';
import { postgresQuery } from '../../../src/wire/postgres.ts';
import { redisCall } from '../../../src/wire/redis.ts';
import { cli } from '../../cli/cli.ts';
import { there } from '../../services/there.ts';

/* Servers that run already, as `--service` names them: they are this test's own. */

const isWhole = there(['etcd', 'postgres', 'redis']).length === 3;

let root = '';
let services: Services;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'running-'));
  await chmod(root, 0o755);
  services = openServices({ root });
});
afterEach(async () => {
  await services.close();
  await rm(root, { recursive: true, force: true });
});

test.runIf(isWhole)('servers that run already are used, and neither ended nor wiped', async () => {
  const lease = (kind: 'etcd' | 'postgres' | 'redis') => services.lease(kind, 'mine', false);
  const leased = await Promise.all([lease('etcd'), lease('postgres'), lease('redis')]);
  const [etcd, postgres, redis] = leased.map(({ access }) => access.url) as [string, string, string];
  await etcdCall(etcd, 'kv/put', { key: encode('mine'), value: encode('kept') });
  await postgresQuery(postgres, "create table mine as select 'kept' as it");
  await redisCall(redis, 'SET', 'mine', 'kept');

  const out = join(root, 'run');
  const args = ['run', 'lock-services', '--no-controls', '--seeds', '1', '--scenario', 'kill-while-holding', '--out', out];
  const subjects = 'redis-fenced,etcd,postgres-row';
  const addresses = [`etcd=${etcd}`, `postgres=${postgres}`, `redis-aof=${redis}`].flatMap((address) => ['--service', address]);
  const { exitCode } = await cli([...args, '--subject', subjects, ...addresses]);
  // On a busy machine a kill may come too late, which makes a trial void.
  expect([0, 2]).toContain(exitCode);

  const lines = readFileSync(join(out, 'trials.ndjson'), 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as TrialRecord);
  expect(records.map(({ subject }) => subject).toSorted()).toEqual([
    'etcd',
    'etcd',
    'postgres-row',
    'postgres-row',
    'redis-fenced',
    'redis-fenced',
  ]);
  // What the kernels wrote is there: in each as many ledgers as trials, at least.
  const { kvs = [] } = await etcdCall<RangeResponse>(etcd, 'kv/range', withPrefix('crash-campaign-'));
  const ledgers = new Set(kvs.flatMap(({ key }) => /^(.*)\/events\/completed$/.exec(decode(key))?.[1] ?? []));
  expect(ledgers.size).toBe(2);
  expect(await postgresQuery(postgres, "select count(distinct namespace) as n from ledger where id = 'completed'")).toEqual([{ n: '2' }]);
  expect((await redisCall(redis, 'KEYS', '*:ledger')) as string[]).toHaveLength(4);

  expect(leased.map((service: LeasedService) => service.life())).toEqual([1, 1, 1]);
  expect((await etcdCall<RangeResponse>(etcd, 'kv/range', { key: encode('mine') })).kvs?.[0]?.value).toBe(encode('kept'));
  expect(await postgresQuery(postgres, 'select it from mine')).toEqual([{ it: 'kept' }]);
  expect(await redisCall(redis, 'GET', 'mine')).toBe('kept');
});
