import contend from '../../scenarios/contend.ts';
import cutConnection from '../../scenarios/cut-connection.ts';
import killWhileHolding from '../../scenarios/kill-while-holding.ts';
import partition from '../../scenarios/partition.ts';
import pausePastLease from '../../scenarios/pause-past-lease.ts';
import pauseWhileHolding from '../../scenarios/pause-while-holding.ts';
import serviceRestart from '../../scenarios/service-restart.ts';
import slowNetwork from '../../scenarios/slow-network.ts';
import stealLock from '../../scenarios/steal-lock.ts';
import type { Subject } from '../../src/campaign/campaign.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { etcdLease } from '../../src/locks/etcd-lease.ts';
import { postgresAdvisory } from '../../src/locks/postgres-advisory.ts';
import { postgresRow } from '../../src/locks/postgres-row.ts';
import { redisLock } from '../../src/locks/redis-lock.ts';
import { readEtcd, readPostgres, readRedis, setUpPostgres } from './read.ts';

/** A lease in milliseconds, whole seconds. etcd tells in whole seconds what is left of one, so that of one second nothing could be said. */
const TTL_MS = Number(process.env.LOCK_SERVICES_TTL_MS ?? 2_000);

const IOREDIS = 'ioredis@5.9.3';

const NO_LEASE = 'it has no lease: a paused holder keeps it for as long as its connection lives (pause-while-holding)';

const subjects: Subject[] = [
  { name: 'redis-fenced', service: 'redis-aof', package: IOREDIS, env: { LOCK: 'redis-fenced' } },
  { name: 'etcd', service: 'etcd', lock: etcdLease(), read: readEtcd, env: { LOCK: 'etcd' } },
  {
    name: 'postgres-row',
    service: 'postgres',
    package: 'pg@8.23.1',
    lock: postgresRow(),
    read: readPostgres,
    env: { LOCK: 'postgres-row' },
  },
  {
    name: 'postgres-advisory',
    service: 'postgres',
    package: 'pg@8.23.1',
    lock: postgresAdvisory(),
    read: readPostgres,
    env: { LOCK: 'postgres-advisory' },
    notApplicable: { 'pause-past-lease': NO_LEASE },
  },
  { name: 'redis', service: 'redis', package: IOREDIS, env: { LOCK: 'redis' } },
  { name: 'redis-aof', service: 'redis-aof', package: IOREDIS, env: { LOCK: 'redis' } },
  { name: 'redlock@4.2.0', service: 'redis', package: ['redlock@4.2.0', IOREDIS], env: { LOCK: 'redlock' } },
];

export default defineCampaign({
  name: 'lock-services',
  title:
    'Sessions do a few units of work under a lock that a service keeps: leases in etcd, PostgreSQL and Redis, with and without fencing.',
  kernel: {
    directory: 'kernel',
    command: ['node', '{kernel}/kernel.ts'],
    env: { LOCK_URL: '{service}', LOCK_NAMESPACE: '{namespace}', LOCK_TTL_MS: '{ttl_ms}' },
  },
  subjects,
  lock: redisLock(),
  read: readRedis,
  setup: ({ service }) => (service?.url.startsWith('postgresql:') ? setUpPostgres(service) : undefined),
  // What shows a defect in every trial needs few.
  scenarios: [
    pausePastLease,
    { ...killWhileHolding, trials: 5 },
    { ...stealLock, trials: 5 },
    { ...contend, trials: 4 },
    { ...pauseWhileHolding, trials: 3 },
    { ...serviceRestart, trials: 5 },
    { ...partition, trials: 5 },
    { ...cutConnection, trials: 3 },
    { ...slowNetwork, trials: 3 },
  ],
  seeds: '1000-1029',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { live: { ttl_ms: TTL_MS, recovers_within_ms: 5 * TTL_MS, deadline_ms: 15 * TTL_MS } },
});
