import type { DriverName } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import type { TrialRecord } from '../history/record.ts';
import type { RunSummary } from '../judge/run-summary.ts';
import { chosenOf } from './chosen.ts';
import { durationsOf } from './durations.ts';
import { connect } from './fleet/connection.ts';
import { goThrough } from './go-through.ts';
import { identityOf } from './identity.ts';
import { type Existing, openRun } from './open-run.ts';
import { requestOf, type ShardRequest } from './request.ts';
import { stoppedBy } from './run-errors.ts';
import { judgeAgain } from './run-file.ts';
import type { Setup } from './run-trial.ts';
import { trialsOf } from './run-trials.ts';
import { withSetup } from './set-up.ts';

export interface RunOptions {
  campaign: LoadedCampaign;
  /** The campaign as it was named, for the commands that replay a trial. */
  target: string;
  driver: DriverName;
  /** Under live: whether a probe numbers the operations. */
  probe?: boolean;
  seeds: number[];
  /** Names of the campaign's own. */
  scenarios: string[];
  subjects: string[];
  variants: string[];
  /** Whether the null campaign and forged histories are part of it. */
  controls: boolean;
  workers: number;
  /** Stops at the first broken trial of a kernel as it is. */
  bail?: boolean;
  /** Goes on with so many fresh seeds behind the last of `seeds`, until a kernel as it is breaks; `seeds` themselves are for the controls alone. */
  freshSeeds?: number;
  /** Runs each trial but the golden ones twice, and compares the histories. */
  checkDeterminism?: boolean;
  /** Of the trials that workers run such a share is run by two of them, and the histories are compared. */
  verify?: number;
  /** After so many milliseconds no new trial is begun. */
  timeBudgetMs?: number;
  keep: Setup['keep'];
  /** Default: a new one under `reports/runs`. */
  runDirectory?: string;
  /** What to do about a run that is in that directory already. Default: refuse it. */
  existing?: Existing;
  /** Only the trials of this shard: `merge` makes a whole of them. */
  shard?: ShardRequest | undefined;
  /** Trials are not run here, but by workers that share a Redis with this run. */
  queue?: QueueOptions;
  /** Aborted: no new trial is begun, and what there is is judged. */
  signal?: AbortSignal;
  /** Told where the records go, as soon as that is certain. */
  onOpen?(runDirectory: string): void;
  /** Waited for before the next trial is begun in its place. */
  onProgress?(event: RunProgress): void | Promise<void>;
  onNote?(text: string): void;
}

export interface QueueOptions {
  /** Of the Redis. */
  url: string;
  /** The command with which a worker is started, for whoever has to be told. */
  command: string;
  /** How long a worker has a trial for itself without renewing that. Default: `LEASE_MS`. */
  leaseMs?: number;
  /** How long nothing may come back while no worker is at work. Default: `PATIENCE_MS`. */
  patienceMs?: number;
}

export interface RunProgress {
  type: 'golden' | 'trial' | 'control';
  done: number;
  /** Null: nobody knows. */
  total: number | null;
  record: TrialRecord;
}

export interface RunOutcome {
  summary: RunSummary;
  /** Of all trials, the null campaign's included. */
  records: TrialRecord[];
}

/**
 * Runs a campaign: the golden runs, the kernels as they are and the controls; then the verdict. Each record is on disk before its trial is counted.
 * Of a run that was interrupted, what is recorded is not run again.
 * When a golden run does not hold, the campaign stops with that as its result.
 *
 * The order of the trials does not matter: plans come from seeds and the golden run, and a trial shares nothing with another. All scenarios of a seed come before
 * the next seed, so that a run that is cut short has seen something of each. The controls come last, where most of what breaks has been seen by then; and first where the trials
 * may have no end, because nobody can tell what those are worth without them.
 */
export async function runCampaign(options: RunOptions): Promise<RunOutcome> {
  let isMade = false;
  try {
    return await runWith(options, () => {
      isMade = true;
    });
  } catch (error) {
    if (isMade || !(error instanceof CampaignError) || options.variants.length === 0 || isOfSubject(error)) throw error;
    // Somebody may have taken out the very component that a control strips. What that breaks in the kernel as it is weighs more than a control that can't be made.
    options.onNote?.(`${error.message} The kernels as they are run all the same.`);
    const outcome = await runWith({ ...options, variants: [] }, () => {});
    if (outcome.summary.verdict !== 'fail') throw error;
    return outcome;
  }
}

/** What a subject needs is missing with controls and without. */
function isOfSubject({ field }: CampaignError): boolean {
  return field === 'service' || field === 'package';
}

/** `onMade` is called when the kernel's copies have been made. */
async function runWith(options: RunOptions, onMade: () => void): Promise<RunOutcome> {
  const began_ms = performance.now();
  const { campaign } = options.campaign;
  const chosen = chosenOf(campaign, options);
  const shard = options.shard && { ...options.shard, durations: await durationsOf(options.shard.durations) };
  const trials = trialsOf(campaign, { seeds: options.seeds, ...chosen }, { ...options, shard });

  // Whether there is a Redis at all is said before anything is made.
  const connection = options.queue ? await connect(options.queue.url) : null;
  const made = withSetup({ ...options, variants: chosen.variants }, async (made) => {
    onMade();
    const request = requestOf(options);
    const identity = await identityOf(made, trials);
    const run = await openRun(
      { existing: 'refuse', ...options, directory: options.runDirectory, campaign: campaign.name },
      request,
      identity,
    );
    options.onOpen?.(run.directory);
    try {
      // Another harness has brought it to its end.
      if (run.before?.finished) return await judgeAgain(run.directory);
      const setup = { ...made, runDirectory: run.directory };
      return await goThrough({ options, run, setup, chosen, trials, request, identity, began_ms, connection });
    } catch (error) {
      throw stoppedBy(error, run.directory);
    } finally {
      await run.close();
    }
  });
  return made.finally(() => connection?.close());
}
