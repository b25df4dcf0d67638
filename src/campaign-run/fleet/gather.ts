import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { TrialKey } from '../../campaign/expand.ts';
import { trialRecordSchema } from '../../history/record-schema.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Golden } from '../../plan/scenario.ts';
import { stream } from '../../random/stream.ts';
import { RunStoppedError } from '../run-errors.ts';
import { artefactsOf } from '../run-trial.ts';
import { repetitionIn } from '../run-twice.ts';
import type { TrialRunner } from '../trial-runner.ts';
import type { Connection } from './connection.ts';
import { jobOf, repetitionId, type TrialJob, type TrialResult, trialIdOf } from './job.ts';
import { unpack } from './parcel.ts';
import { openPatience } from './patience.ts';
import { BEAT_MS, forget, forgetAbandoned, type Posting, PREFIX, post, postGolden, withdraw, workersOf } from './posting.ts';

/** So many trials of a run are in Redis at once, waiting, being run or on their way back. */
export const AHEAD_MAX = 1000;
/** A trial in which the harness failed on a worker is tried so often, wherever, before it stops the run. */
const ATTEMPTS_MAX = 3;
const LOOK_EVERY_MS = 100;
/** Workers have so long to take leave when the run is over. */
const LEAVE_MS = 5_000;
/** BullMQ writes each result into its stream of events too, which nobody reads here. */
const EVENTS_MAX = 1;

const WHOLE = 'What has been recorded is whole. Mend that.';

/** Where a run gathers its trials. */
export interface Gathering {
  connection: Connection;
  posting: Posting;
  golden: Golden;
  runDirectory: string;
  /** Whether the trial was recorded before this harness was started. */
  isRecorded(id: string): boolean;
  /** How long nothing may come back while nobody is at work. */
  patienceMs: number;
  /** The command with which a worker is started. */
  command: string;
  signal: AbortSignal;
  onNote(text: string): void;
}

interface Offer {
  settle(result: TrialResult | null): void;
  fail(error: Error): void;
  add(): Promise<unknown>;
}

/**
 * Offers trials to workers by a queue of BullMQ, and gathers what comes back.
 *
 * Nothing is lost or doubled: a job has the id of its trial, so that it can't be added twice, and is removed only when the trial's record is on disk. Whatever becomes of this process, its
 * workers or Redis meanwhile, a trial without a record is offered again, and what comes back of one that has a record is dropped.
 */
export async function gather(gathering: Gathering): Promise<TrialRunner> {
  const { connection, posting, runDirectory, signal, onNote } = gathering;
  const { redis } = connection;
  connection.tell(onNote);
  const {
    id,
    request: { verify },
  } = posting;
  const queue = queueOf(connection, id);
  const offers = new Map<string, Offer>();
  /** Come back, and not yet on disk. */
  const gathered = new Set<string>();
  const recorded = new Set<string>();
  const isRecorded = (trial: string) => recorded.has(trial) || gathering.isRecorded(trial);
  const patience = openPatience(gathering);
  let failure: Error | null = null;
  let verifiable = 0;
  let redelivered = 0;
  const end = new AbortController();

  for (const abandoned of await forgetAbandoned(redis)) await queueOf(connection, abandoned).obliterate({ force: true });
  await queue.resume();
  await publish();

  /** Which trials two workers run follows from their ids alone, but for the first, which is always one of them: a check that nobody made would look like one that was passed. */
  function isVerified(trial: string): boolean {
    if (verify === null) return false;
    verifiable += 1;
    return verifiable === 1 || stream('verify', trial).next() < verify;
  }

  async function publish() {
    await postGolden(redis, id, gathering.golden);
    await post(redis, posting);
  }

  function fail(error: Error) {
    // It has run full, say, or was made a replica.
    const refused =
      error.name === 'ReplyError'
        ? new RunStoppedError(runDirectory, `Redis at ${connection.address} refuses: ${error.message}`, WHOLE)
        : error;
    failure ??= refused;
    for (const offer of offers.values()) offer.fail(refused);
    offers.clear();
  }

  function offer(jobId: string, job: TrialJob): Promise<TrialResult | null> {
    return new Promise((settle, reject) => {
      if (failure) return reject(failure);
      const add = () => queue.add('trial', job, { jobId, attempts: ATTEMPTS_MAX });
      offers.set(jobId, { settle, fail: reject, add });
      add().catch(fail);
    });
  }

  /** Resolves to whether anything had come back. */
  async function collect(): Promise<boolean> {
    const done = await queue.getRanges(['completed', 'failed'], 0, -1);
    const news = done.filter((jobId) => offers.has(jobId));
    await Promise.all(news.map(receive));
    // Its record was on disk when this harness was killed, or Redis has forgotten that it was removed.
    const stale = done.filter((jobId) => !gathered.has(jobId) && isRecorded(trialIdOf(jobId)));
    await Promise.all(stale.map((jobId) => queue.remove(jobId)));
    return news.length > 0;
  }

  async function receive(jobId: string) {
    const job = await queue.getJob(jobId);
    const offer = offers.get(jobId);
    if (!job || !offer) return;
    offers.delete(jobId);
    patience.moved();
    redelivered += job.stalledCounter;
    if (await job.isFailed()) {
      // So that it is tried again when the run is gone on with.
      await job.remove();
      const why = `the trial ${trialIdOf(jobId)} could not be run on a worker, in ${job.attemptsMade} attempts and ${job.stalledCounter} workers that died in it: ${job.failedReason}`;
      return offer.fail(new RunStoppedError(runDirectory, why, WHOLE));
    }
    const { record } = job.returnvalue;
    if (record?.id !== trialIdOf(jobId) || !trialRecordSchema.safeParse(record).success)
      return offer.fail(new Error(`what a worker sent back for ${jobId} is no record of it`));
    gathered.add(jobId);
    offer.settle(job.returnvalue);
  }

  /** The run is being stopped: what nobody has begun is taken back. What a dead worker had begun will not come any more when no other is there. */
  async function takeBack() {
    await queue.pause();
    await queue.drain(true);
    const isManned = (await workersOf(redis, id)).some(({ refuses }) => refuses === null);
    const coming = new Set(await queue.getRanges([...(isManned ? (['active'] as const) : []), 'completed', 'failed'], 0, -1));
    for (const [jobId, offer] of offers) {
      if (coming.has(jobId)) continue;
      offers.delete(jobId);
      offer.settle(null);
    }
  }

  async function beat() {
    await post(redis, posting);
    const impatience = patience.look(await workersOf(redis, id), offers.size > 0);
    if (impatience) fail(impatience);
  }

  const looking = (async () => {
    for (let beaten_ms = 0; !end.signal.aborted && !connection.lost.aborted; ) {
      const now_ms = performance.now();
      if (now_ms - beaten_ms >= BEAT_MS) {
        beaten_ms = now_ms;
        await beat();
      }
      const isBusy = await collect();
      if (signal.aborted && offers.size > 0) await takeBack();
      if (!isBusy) await sleep(LOOK_EVERY_MS, undefined, { signal: end.signal }).catch(() => {});
    }
  })().catch(fail);
  connection.lost.addEventListener('abort', () => {
    const { message } = connection.lost.reason as Error;
    fail(
      new RunStoppedError(
        runDirectory,
        message,
        'What has been recorded is whole, and what was on its way is in Redis or run again. Start Redis, and give the same --queue.',
      ),
    );
  });
  // It may have come back without what was in it.
  const restore = () => {
    publish().catch(fail);
    for (const { add } of offers.values()) add().catch(fail);
  };
  redis.on('ready', restore);

  return {
    atOnce: AHEAD_MAX,
    async run(key: TrialKey, plan: Plan) {
      const first = await offer(key.id, jobOf(key, plan, null));
      if (!first) return null;
      if (first.parcel) await unpack(first.parcel, join(runDirectory, artefactsOf(key.id)));
      const again = isVerified(key.id) ? await offer(repetitionId(key.id), jobOf(key, plan, first.worker)) : null;
      return { record: again ? { ...first.record, repetition: repetitionIn(first.record, again.record) } : first.record, history: null };
    },
    async recorded(trial) {
      recorded.add(trial);
      for (const jobId of [trial, repetitionId(trial)]) {
        if (!gathered.has(jobId)) continue;
        await queue.remove(jobId);
        gathered.delete(jobId);
      }
    },
    async close() {
      end.abort();
      if (redelivered > 0) onNote(`workers that died or stood still had ${redelivered} trials, which were given to others`);
      await looking;
      redis.off('ready', restore);
      if (redis.status === 'ready') {
        const isEmpty = offers.size === 0 && gathered.size === 0 && failure === null;
        await withdraw(redis, id);
        if (isEmpty) {
          // A worker that still looks at the queue would make some of its keys anew.
          const end_ms = performance.now() + LEAVE_MS;
          while (performance.now() < end_ms && (await workersOf(redis, id)).length > 0) await sleep(LOOK_EVERY_MS);
          await queue.obliterate({ force: true });
          await forget(redis, id);
        }
      }
      await queue.close();
    },
  };
}

function queueOf({ bullmq, redis }: Connection, id: string): Queue<TrialJob, TrialResult> {
  const queue = new bullmq.Queue<TrialJob, TrialResult>(id, {
    connection: redis,
    prefix: PREFIX,
    streams: { events: { maxLen: EVENTS_MAX } },
  });
  // What a command fails of, who gave it is told; that Redis is gone is heard of by the connection.
  queue.on('error', () => {});
  return queue;
}
