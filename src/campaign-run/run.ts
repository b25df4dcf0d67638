import { join } from 'node:path';
import type { Campaign, DriverName, Subject } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { expandControls, expandTrials, isTriedIn, type Selection, subjectsOf, type TrialKey, trialKey } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { parseSeeds, SEED_MAX } from '../campaign/seeds.ts';
import type { History } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import { appendRecord } from '../history/write.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { sourceOf } from '../judge/findings.ts';
import { tryForged } from '../judge/forged.ts';
import type { RunFacts, RunSummary } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Scenario } from '../plan/scenario.ts';
import { isGolden, measureOf, planOf, referenceOf, runGolden } from './golden-run.ts';
import { pool } from './pool.ts';
import { makeRunDirectory } from './run-directory.ts';
import { writeRunFile } from './run-file.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';
import { runTwice } from './run-twice.ts';
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
  /** After so many milliseconds no new trial is begun. */
  timeBudgetMs?: number;
  keep: Setup['keep'];
  /** Default: a new one under `reports/runs`. */
  runDirectory?: string;
  /** Aborted: no new trial is begun, and what there is is judged. */
  signal?: AbortSignal;
  onProgress?(event: RunProgress): void;
  onNote?(text: string): void;
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
    if (isMade || !(error instanceof CampaignError) || options.variants.length === 0) throw error;
    // Somebody may have taken out the very component that a control strips. What that breaks in the kernel as it is weighs more than a control that can't be made.
    options.onNote?.(`${error.message} The kernels as they are run all the same.`);
    const outcome = await runWith({ ...options, variants: [] }, () => {});
    if (outcome.summary.verdict !== 'fail') throw error;
    return outcome;
  }
}

/** `onMade` is called when the kernel's copies have been made. */
async function runWith(options: RunOptions, onMade: () => void): Promise<RunOutcome> {
  const began_ms = performance.now();
  const { campaign } = options.campaign;
  const subjects = named(subjectsOf(campaign), options.subjects);
  // A quota is for a whole campaign, and a part of one can't be held to it.
  const isWhole = options.freshSeeds === undefined && options.seeds.length >= parseSeeds(campaign.seeds).length;
  const [scenarios, leftOut] = [true, false].map((isFor) =>
    named(campaign.scenarios, options.scenarios)
      .filter(({ drivers }) => (drivers?.includes(options.driver) ?? true) === isFor)
      .map((scenario) => ({ ...scenario, quotas: isWhole ? quotasFor(scenario, options.seeds.slice(0, scenario.trials).length) : {} })),
  ) as [Scenario[], Scenario[]];
  const chosen = named(campaign.variants ?? [], options.variants);
  const variants = chosen.filter((variant) => isTriedIn(variant, scenarios));
  const untried = chosen.filter((variant) => !variants.includes(variant)).map(({ name }) => name);

  return withSetup({ ...options, variants, runDirectory: null }, async (made) => {
    onMade();
    const runDirectory = await makeRunDirectory(options.runDirectory, campaign.name, new Date());
    const setup = { ...made, runDirectory };
    const records: TrialRecord[] = [];
    const facts: RunFacts = {
      target: options.target,
      defaultDriver: Object.keys(campaign.timing)[0] as DriverName,
      campaign: campaign.name,
      driver: options.driver,
      scenarios,
      leftOut: leftOut.map(({ name, drivers = [] }) => ({ name, drivers })),
      subjects,
      variants,
      untried,
      invariants: setup.invariants.map(({ name }) => name),
      forged: null,
      nullCampaign: null,
      wallMs: 0,
      runDirectory,
    };
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    let cut: RunFacts['cut'];
    const cutAt = (why: RunFacts['cut']) => {
      cut ??= why;
      stop.abort();
    };
    const timer = options.timeBudgetMs === undefined ? null : setTimeout(cutAt, options.timeBudgetMs, 'time-budget').unref();

    async function outcome(judged: TrialRecord[], more: Partial<RunFacts>): Promise<RunOutcome> {
      const whole: RunFacts = { ...facts, ...more, wallMs: Math.round(performance.now() - began_ms), ...(cut && { cut }) };
      if (cut) whole.scenarios = whole.scenarios.map(({ name }) => ({ name }));
      await writeRunFile(runDirectory, whole, { finished: options.signal?.aborted !== true, goldenRuns: goldens.length });
      return { summary: judgeRun(judged, whole), records };
    }

    /** `count` counts it once it is on disk, because trials that end together are not written in the order in which they ended. */
    async function keep(type: RunProgress['type'], { record }: JudgedTrial, total: number | null, count: () => number) {
      await appendRecord(join(runDirectory, 'trials.ndjson'), record);
      records.push(record);
      options.onProgress?.({ type, done: count(), total, record });
    }

    const reference = referenceOf(setup);
    const goldenSubjects = [reference, ...subjects.filter(({ name }) => name !== reference.name)];
    const goldens: JudgedTrial[] = [];
    await writeRunFile(runDirectory, facts, { finished: false, goldenRuns: goldenSubjects.length });
    for (const subject of goldenSubjects) {
      const trial = await runGolden(setup, subject);
      goldens.push(trial);
      await keep('golden', trial, goldenSubjects.length, () => goldens.length);
      if (!isGolden(trial)) return outcome([trial.record], { scenarios: [noFaults], subjects: [subject], variants: [] });
    }
    const golden = await measureOf(setup, goldens[0] as JudgedTrial);

    /** What violations are planted into: the golden runs, and a held trial of each scenario. */
    const held = new Map<string, History>(goldens.map(({ history }) => [history.trial.id, history]));
    const selection: Selection = { seeds: options.seeds, scenarios, subjects, variants };
    const real: TrialRecord[] = [];
    const nullCampaign: TrialRecord[] = [];
    const run = options.checkDeterminism ? runTwice : runAndJudge;

    const runAll = async (type: RunProgress['type'], keys: Iterable<TrialKey>, total: number | null, into: TrialRecord[]) => {
      let done = 0;
      const work = async (key: TrialKey) => {
        const trial = await run(setup, key, planOf(campaign, key, golden), golden);
        const { scenario, variant, verdict } = trial.record;
        if (variant === null && verdict === 'held' && !held.has(scenario)) held.set(scenario, trial.history);
        into.push(trial.record);
        await keep(type, trial, total, () => ++done);
        if (type === 'trial' && (options.bail || options.freshSeeds !== undefined) && isFailure(trial.record, subjects)) cutAt('broken');
      };
      await pool(keys, options.workers, work, signal);
    };
    const runKernels = async () => {
      const seeds = options.freshSeeds === undefined ? options.seeds : fresh(options.seeds, options.freshSeeds);
      const total = options.freshSeeds === undefined ? expandTrials(campaign, selection).length : null;
      await runAll('trial', bySeed(campaign, selection, seeds), total, real);
    };
    const runControls = async () => {
      const undisturbed = options.controls ? options.seeds.map((seed) => trialKey(campaign, noFaults, reference, null, seed)) : [];
      const controls = expandControls(campaign, selection);
      await runAll('control', undisturbed, undisturbed.length, nullCampaign);
      await runAll('control', controls, controls.length, real);
    };
    const controlsFirst = options.freshSeeds !== undefined || timer !== null;
    for (const part of controlsFirst ? [runControls, runKernels] : [runKernels, runControls]) await part();
    if (timer) clearTimeout(timer);

    // What was not run is not judged.
    if (cut === 'broken' && !controlsFirst) return outcome(real, { variants: [] });
    return outcome(real, options.controls ? { forged: tryForged(setup.invariants, [...held.values()]), nullCampaign } : {});
  });
}

/** Quotas are of so many trials. */
const QUOTA_TRIALS = 30;

function quotasFor({ quotas = {} }: Scenario, trials: number): Scenario['quotas'] {
  const shares = Object.entries(quotas).map(([window, quota]) => [window, Math.floor(quota * Math.min(1, trials / QUOTA_TRIALS))]);
  return Object.fromEntries(shares.filter(([, quota]) => quota !== 0));
}

function* bySeed(campaign: Campaign, selection: Selection, seeds: Iterable<number>): Generator<TrialKey> {
  let before = 0;
  for (const seed of seeds) {
    const scenarios = selection.scenarios.filter(({ trials = Infinity }) => before < trials);
    yield* expandTrials(campaign, { ...selection, scenarios, seeds: [seed] });
    before += 1;
  }
}

/** Seeds that come behind all of these. */
function* fresh(seeds: number[], count: number): Generator<number> {
  const first = seeds.reduce((a, b) => Math.max(a, b)) + 1;
  for (let seed = first; seed < first + count && seed <= SEED_MAX; seed += 1) yield seed;
}

/** Whether it broke something that nobody knew of. */
function isFailure(record: TrialRecord, subjects: Subject[]): boolean {
  return record.violations.some((violation) => sourceOf(record, violation, subjects) === null);
}

function named<T extends { name: string }>(all: T[], names: string[]): T[] {
  return all.filter(({ name }) => names.includes(name));
}
