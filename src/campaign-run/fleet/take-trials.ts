import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from 'bullmq';
import { printPlan } from '../../plan/print.ts';
import type { Golden } from '../../plan/scenario.ts';
import { planOf } from '../golden-run.ts';
import { requireRoom } from '../room.ts';
import { RunStoppedError, stoppedBy } from '../run-errors.ts';
import { runAndJudge, type Setup } from '../run-trial.ts';
import { runTwice } from '../run-twice.ts';
import { type Attendance, aborted } from './attend.ts';
import { workerStopped } from './fleet-error.ts';
import { keyOf, type TrialJob, type TrialResult, trialIdOf } from './job.ts';
import { pack } from './parcel.ts';
import { type Posting, PREFIX } from './posting.ts';
import type { Site } from './serve.ts';

/** So many workers may die in one trial before it is taken to be what kills them. */
const DELIVERIES_MAX = 10;
/** Stalled trials are looked for so often in each lease. */
const STALLED_LOOKS_PER_LEASE = 6;
/** A trial that another worker has to take is put back for so long. */
const PUT_BACK_MS = 1_000;

interface Taking {
  site: Site;
  posting: Posting;
  golden: Golden;
  setup: Setup & { runDirectory: string };
  /** Told how many trials are being run. */
  state: { running: number };
  attendance: Attendance;
}

/**
 * Takes trials from the run's queue until the run is over. Resolves to why it takes no more while the run goes on; null: that is not so.
 * @throws {FleetError} When this machine can't go on.
 */
export async function takeTrials({ site, posting, golden, setup, state, attendance }: Taking): Promise<string | null> {
  const { bullmq, redis } = site.connection;
  const stop = new AbortController();
  let refusal: string | null = null;
  let failure: unknown = null;
  const runOne = posting.request.checkDeterminism ? runTwice : runAndJudge;

  /** Leaves the trial to others, and takes no more. */
  async function putBack(job: Job, token: string): Promise<never> {
    stop.abort();
    await job.moveToWait(token);
    throw new bullmq.WaitingError();
  }

  async function take(job: Job<TrialJob, TrialResult>, token = ''): Promise<TrialResult> {
    if (job.data.not === site.name) {
      await job.moveToDelayed(Date.now() + PUT_BACK_MS, token);
      throw new bullmq.DelayedError();
    }
    const key = keyOf(setup.campaign, job.data);
    const plan = planOf(setup.campaign, key, golden);
    if (key.id !== trialIdOf(job.id ?? '') || printPlan(plan) !== job.data.plan) {
      refusal = `its campaign draws another plan for ${key.id}: ${printPlan(plan)}`;
      return putBack(job, token);
    }
    try {
      // Of a repetition only the history counts.
      const { record } = await runOne(job.data.not === null ? setup : { ...setup, keep: 'none' }, key, plan, golden);
      await requireRoom(setup.root, setup.runDirectory);
      return { record, worker: site.name, parcel: await parcelOf(record.artefacts) };
    } catch (error) {
      const stopped = stoppedBy(error, setup.runDirectory);
      if (!(stopped instanceof RunStoppedError)) throw error;
      failure = workerStopped(stopped);
      return putBack(job, token);
    }
  }

  async function parcelOf(artefacts: string | null) {
    if (artefacts === null) return null;
    const directory = join(setup.runDirectory, artefacts);
    const parcel = await pack(directory);
    await rm(directory, { recursive: true });
    return parcel;
  }

  const inTurn = (job: Job<TrialJob, TrialResult>, token?: string) =>
    site.slots(async () => {
      state.running += 1;
      try {
        return await take(job, token);
      } finally {
        state.running -= 1;
      }
    });
  const { leaseMs } = posting;
  const worker = new bullmq.Worker<TrialJob, TrialResult>(posting.id, inTurn, {
    connection: redis,
    prefix: PREFIX,
    concurrency: site.workers,
    name: site.name,
    lockDuration: leaseMs,
    stalledInterval: Math.ceil(leaseMs / STALLED_LOOKS_PER_LEASE),
    maxStalledCount: DELIVERIES_MAX - 1,
  });
  // Such as a trial that was given to another because this process stood still too long. That Redis is gone is heard of by the connection.
  worker.on('error', ({ message }) => {
    if (redis.status === 'ready') site.onNote(`run ${posting.id}: ${message}`);
  });
  let trials = 0;
  worker.on('completed', () => {
    trials += 1;
  });
  site.onNote(`run ${posting.id}: taking its trials`);
  await aborted(AbortSignal.any([attendance.ended, stop.signal]));
  // Without Redis nothing can be handed over any more.
  await worker.close(site.connection.lost.aborted);
  site.onNote(`run ${posting.id}: ${trials} trials were run here`);
  if (failure) throw failure as Error;
  return refusal;
}
