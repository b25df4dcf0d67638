import type { KnownDefect, Subject } from '../../src/campaign/campaign.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { etcdLease } from '../../src/locks/etcd-lease.ts';
import { postgresAdvisory } from '../../src/locks/postgres-advisory.ts';
import { postgresRow } from '../../src/locks/postgres-row.ts';
import { redisLock } from '../../src/locks/redis-lock.ts';
import { readEtcd, readPostgres, readRedis, setUpPostgres } from './read.ts';
import { scenarios } from './scenarios.ts';

/** A lease in milliseconds, whole seconds. etcd tells in whole seconds what is left of one, so that of one second nothing could be said. */
const TTL_MS = Number(process.env.LOCK_SERVICES_TTL_MS ?? 2_000);

const IOREDIS = 'ioredis@5.9.3';
const PG = 'pg@8.23.1';

const NO_LEASE = 'it has no lease: a paused holder keeps it for as long as its connection lives (pause-while-holding)';

const KLEPPMANN = 'https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html';
const FORGETS = 'https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/#performance-crash-recovery-and-fsync';
const AT_LEAST_ONCE = 'https://docs.bullmq.io/patterns/idempotent-jobs';

/** No token: nothing tells the storage that a writer is not the holder any more, and so the work may be done twice. */
const unfenced: KnownDefect[] = ['no-write-after-theft', 'no-duplicate-events', 'robbed-session-dies'].map((invariant) => ({
  invariant,
  source: KLEPPMANN,
}));

/** There it must show: if it does not, the run says so. */
const writesAsleep: KnownDefect = { invariant: 'no-write-after-theft', scenario: 'pause-past-lease', source: KLEPPMANN };

/** What was granted, and written, before the server died is granted and written again. */
const forgetful: KnownDefect[] = ['no-lost-acks', 'no-duplicate-events', 'one-holder-at-a-time'].map((invariant) => ({
  invariant,
  scenario: 'service-restart',
  source: FORGETS,
}));

const asRedis = Object.fromEntries(
  [
    'kill-while-holding',
    'steal-lock',
    'contend',
    'pause-past-lease',
    'pause-while-holding',
    'partition',
    'cut-connection',
    'slow-network',
  ].map((name) => [name, 'as redis: what it keeps differs, and that shows in a restart only']),
);

const bullmq: Pick<Subject, 'service' | 'package' | 'lock'> = {
  service: 'redis-aof',
  package: ['bullmq@6.7.0', IOREDIS],
  lock: redisLock((namespace) => `bull:${namespace}:work:lock`),
};

const subjects: Subject[] = [
  { name: 'redis-fenced', service: 'redis-aof', package: IOREDIS, env: { LOCK: 'redis-fenced' } },
  { name: 'etcd', service: 'etcd', lock: etcdLease(), read: readEtcd, env: { LOCK: 'etcd' } },
  { name: 'postgres-row', service: 'postgres', package: PG, lock: postgresRow(), read: readPostgres, env: { LOCK: 'postgres-row' } },
  {
    name: 'postgres-advisory',
    service: 'postgres',
    package: PG,
    lock: postgresAdvisory(),
    read: readPostgres,
    env: { LOCK: 'postgres-advisory' },
    notApplicable: { 'pause-past-lease': NO_LEASE },
  },
  { name: 'redis', service: 'redis', package: IOREDIS, env: { LOCK: 'redis' }, knownDefects: [writesAsleep, ...unfenced, ...forgetful] },
  { name: 'redis-aof', service: 'redis-aof', package: IOREDIS, env: { LOCK: 'redis' }, knownDefects: unfenced, notApplicable: asRedis },
  {
    name: 'redlock@4.2.0',
    service: 'redis',
    package: ['redlock@4.2.0', IOREDIS],
    env: { LOCK: 'redlock' },
    knownDefects: [writesAsleep, ...unfenced, ...forgetful],
  },
  {
    ...bullmq,
    name: 'bullmq@6.7.0',
    env: { LOCK: 'bullmq' },
    // A job whose worker died or slept is done again from its beginning: that is its contract, and no defect of it.
    knownDefects: [
      { invariant: 'no-duplicate-events', scenario: 'pause-past-lease', source: AT_LEAST_ONCE },
      { invariant: 'no-duplicate-events', source: AT_LEAST_ONCE },
    ],
  },
  { ...bullmq, name: 'bullmq-idempotent', env: { LOCK: 'bullmq', IDEMPOTENT: '1' } },
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
  scenarios,
  seeds: '1000-1029',
  robbed_reason: 'lock-stolen-mid-run',
  variants: [
    {
      // The first, because it takes until the deadline.
      name: 'redis-without-expiry',
      subject: 'redis',
      edit: [
        { file: 'locks/redis.ts', from: ', "NX", "PX", ARGV[2])', to: ', "NX")' },
        { file: 'locks/redis.ts', from: "return redis.call('PEXPIRE', KEYS[1], ARGV[2])", to: 'return 1' },
      ],
      expect: { breaksAny: ['recovers-within', 'finishes'] },
      scenarios: ['kill-while-holding'],
      trials: 2,
    },
    {
      // A thief that overwrites the key leaves its create_revision as it was.
      name: 'etcd-fenced-by-create-revision',
      subject: 'etcd',
      replace: { 'etcd-fence': "const isMine = { key: lock, target: 'CREATE', result: 'EQUAL', create_revision: revision };" },
      expect: { breaks: ['no-write-after-theft'] },
      scenarios: ['steal-lock'],
      trials: 3,
    },
    {
      // Its work takes three leases, so that each session has more to do than one is good for.
      name: 'etcd-without-keepalive',
      subject: 'etcd',
      edit: [
        {
          file: 'locks/etcd.ts',
          from: "await call<{ result?: { TTL?: string } }>('lease/keepalive', { ID })",
          to: "{ result: { TTL: '1' } }",
        },
        { file: 'kernel.ts', from: 'ttlMs / 5', to: 'ttlMs / 2' },
      ],
      expect: { dies: 'lock-stolen-mid-run' },
      scenarios: ['contend'],
      trials: 4,
    },
    {
      name: 'redis-fence-not-checked',
      strip: ['redis-fence'],
      expect: { breaks: ['no-write-after-theft', 'no-duplicate-events'] },
      scenarios: ['pause-past-lease'],
      trials: 3,
    },
    {
      // Who was robbed frees the lock of the thief, as in a `finally`, and a third takes it under the thief's eyes.
      name: 'redis-released-without-owner-check',
      subject: 'redis',
      strip: ['owner-check'],
      expect: { dies: 'lock-stolen-mid-run' },
      scenarios: ['pause-past-lease'],
      trials: 4,
    },
    {
      name: 'redis-taken-without-nx',
      edit: [{ file: 'locks/redis-fenced.ts', from: "ARGV[1], 'NX', 'PX'", to: "ARGV[1], 'PX'" }],
      expect: { breaks: ['one-holder-at-a-time'] },
      scenarios: ['contend'],
      trials: 3,
    },
    {
      name: 'row-fence-not-checked',
      subject: 'postgres-row',
      strip: ['row-fence'],
      expect: { breaks: ['no-write-after-theft'] },
      scenarios: ['pause-past-lease'],
      trials: 3,
    },
    {
      name: 'row-token-not-advanced',
      subject: 'postgres-row',
      strip: ['token-advance'],
      expect: { breaksAny: ['tokens-never-go-back', 'one-holder-at-a-time'] },
      scenarios: ['kill-while-holding'],
      trials: 3,
    },
    {
      name: 'bullmq-without-idempotency-key',
      subject: 'bullmq-idempotent',
      strip: ['idempotency-key'],
      expect: { breaks: ['no-duplicate-events'] },
      scenarios: ['kill-while-holding'],
      trials: 3,
    },
  ],
  timing: { live: { ttl_ms: TTL_MS, recovers_within_ms: 5 * TTL_MS, deadline_ms: 12 * TTL_MS } },
});
