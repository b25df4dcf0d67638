import { Queue, Worker } from 'bullmq';
import type { Held, Lock, Place } from '../lock.ts';
import { connect, openLedger } from './redis-client.ts';

const JOB = 'work';

/**
 * A job of BullMQ, fetched by hand as its documentation has it. Its lock is the job's, and a job whose worker lost it is given to the next: at least once. The handler
 * knows nothing of what was done before, and does it again; an idempotency key makes that harmless. An event is the job's and no worker's: nobody promises that a worker
 * that lost the job writes nothing more.
 */
export async function open({ url, namespace, session, ttlMs }: Place): Promise<Lock> {
  const redis = connect(url);
  const connection = redis as never;
  const queue = new Queue(namespace, { connection });
  const worker = new Worker(namespace, null, {
    connection: connect(url),
    lockDuration: ttlMs,
    stalledInterval: ttlMs / 4,
    maxStalledCount: 100,
    autorun: false,
  });
  worker.on('error', () => {});
  queue.on('error', () => {});
  // Added once, whoever is first.
  await queue.add(JOB, {}, { jobId: JOB });
  await worker.startStalledCheckTimer();
  let attempts = 0;

  async function acquire(): Promise<Held | null> {
    const token = `${session}:${++attempts}`;
    const job = await worker.getNextJob(token, { block: false });
    if (!job) return null;
    let key = token;
    // #component idempotency-key
    key = process.env.IDEMPOTENT ? 'once' : token;
    // #end
    return {
      token: null,
      renew: () =>
        job.extendLock(token, ttlMs).then(
          (extended) => extended === 1,
          () => false,
        ),
      append: openLedger(redis, namespace, key, 'job').append,
      release: () =>
        job.moveToCompleted('done', token, false).then(
          () => true,
          () => false,
        ),
    };
  }

  return {
    acquire,
    events: async () => ((await queue.getJobState(JOB)) === 'completed' ? ['completed'] : []),
  };
}
