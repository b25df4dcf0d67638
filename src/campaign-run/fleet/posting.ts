import type { Redis } from 'ioredis';
import { machineName } from '../../driver/workspace.ts';
import type { TrialRecord } from '../../history/record.ts';
import type { Golden } from '../../plan/scenario.ts';
import { type RunIdentity, type RunRequest, sha256 } from '../request.ts';
import type { Setup } from '../run-trial.ts';

/** All keys begin with it, those of BullMQ too. */
export const PREFIX = 'crash-campaign';

/** A worker has a trial for itself for so long without renewing that. It does so twice in that time. */
const LEASE_MS = 30_000;
/** How often a run and its workers say that they are there. */
export const BEAT_MS = 5_000;
/** A run that has not said so for so long is let go of by its workers, until it is there again. */
const POSTING_MS = 60_000;
/** A worker that has not said so for so long is not counted on any more. */
const WORKER_MS = 20_000;
/** What a run that was never gone on with has left in Redis is removed by the next run that comes after so long. */
const ABANDONED_MS = 7 * 24 * 3_600_000;

/** What a run says of itself to those who could run its trials. */
export interface Posting {
  schema: 'crash-campaign/posting@1';
  id: string;
  campaign: string;
  /** Of `RunIdentity` all but the trials has to be the same where a trial is run. */
  identity: RunIdentity;
  request: RunRequest;
  goldenRuns: { subject: string; digest: string; nondeterministic: string[] }[];
  /** How long a worker has a trial for itself without renewing that. */
  leaseMs: number;
}

/** A name for the queue of a run that nobody else's has. */
export function newQueueId(runDirectory: string): string {
  return sha256([machineName(), runDirectory, String(process.pid), String(Date.now())]).slice(0, 12);
}

export function postingOf({
  id,
  setup,
  identity,
  request,
  goldenRuns,
  leaseMs = LEASE_MS,
}: Pick<Posting, 'id' | 'identity' | 'request'> & { setup: Setup; goldenRuns: TrialRecord[]; leaseMs?: number | undefined }): Posting {
  return {
    schema: 'crash-campaign/posting@1',
    id,
    campaign: setup.campaign.name,
    identity,
    request,
    goldenRuns: goldenRuns.map(({ subject, digest, nondeterministic }) => ({ subject, digest, nondeterministic })),
    leaseMs,
  };
}

/** What a worker says of itself to a run. */
export interface WorkerState {
  /** Host and pid. */
  name: string;
  /** Why it takes none of the run's trials; null: it takes them. */
  refuses: string | null;
  /** So many trials of the run it is at. */
  running: number;
}

const RUNS = `${PREFIX}:fleet:runs`;
const key = (id: string, what: string) => `${PREFIX}:fleet:${id}:${what}`;

/** Says that the run is there. To be said again every `BEAT_MS`. */
export async function post(redis: Redis, posting: Posting): Promise<void> {
  await redis.zadd(RUNS, Date.now(), posting.id);
  await redis.set(key(posting.id, 'posting'), JSON.stringify(posting), 'PX', POSTING_MS);
}

/** The golden run is sent apart: it is a hundred times as large as what is looked at again and again. */
export async function postGolden(redis: Redis, id: string, golden: Golden): Promise<void> {
  await redis.set(key(id, 'golden'), JSON.stringify(golden), 'PX', ABANDONED_MS);
}

export async function goldenOf(redis: Redis, id: string): Promise<Golden | null> {
  const text = await redis.get(key(id, 'golden'));
  return text === null ? null : JSON.parse(text);
}

/** What is posted when a run needs nobody any more. */
export const OVER = 'over';

/** Says that the run is over, or interrupted: its workers need not wait for it. */
export async function withdraw(redis: Redis, id: string): Promise<void> {
  await redis.set(key(id, 'posting'), OVER, 'PX', POSTING_MS);
}

/** Removes what a run has posted, but for the word that it is over, which goes by itself. */
export async function forget(redis: Redis, id: string): Promise<void> {
  await redis.zrem(RUNS, id);
  await redis.del(key(id, 'golden'), key(id, 'workers'));
}

/** The run's posting; `OVER`: it said that it needs nobody any more; null: nothing is heard of it. */
export async function lookAtRun(redis: Redis, id: string): Promise<Posting | typeof OVER | null> {
  const text = await redis.get(key(id, 'posting'));
  return text === null || text === OVER ? text : JSON.parse(text);
}

/** The runs that are there. */
export async function postings(redis: Redis): Promise<Posting[]> {
  const runs = await Promise.all((await redis.zrange(RUNS, '0', '-1')).map((id) => lookAtRun(redis, id)));
  return runs.filter((run) => run !== null && run !== OVER);
}

/** Removes the postings of runs that nobody has gone on with for a week, and returns their ids: their queues can go too. */
export async function forgetAbandoned(redis: Redis): Promise<string[]> {
  const ids = await redis.zrangebyscore(RUNS, '-inf', Date.now() - ABANDONED_MS);
  for (const id of ids) await forget(redis, id);
  return ids;
}

/** To be said again every `BEAT_MS`. */
export async function sayWorker(redis: Redis, id: string, state: WorkerState): Promise<void> {
  await redis.sadd(key(id, 'workers'), state.name);
  await redis.pexpire(key(id, 'workers'), POSTING_MS);
  await redis.set(key(id, `worker:${state.name}`), JSON.stringify(state), 'PX', WORKER_MS);
}

/** A worker that goes takes leave, so that nobody counts on it. */
export async function sayGone(redis: Redis, id: string, name: string): Promise<void> {
  await redis.srem(key(id, 'workers'), name);
  await redis.del(key(id, `worker:${name}`));
}

/** The workers that are there for a run. */
export async function workersOf(redis: Redis, id: string): Promise<WorkerState[]> {
  const names = await redis.smembers(key(id, 'workers'));
  const states = await Promise.all(names.map((name) => redis.get(key(id, `worker:${name}`))));
  return states.flatMap((text) => (text === null ? [] : JSON.parse(text)));
}
