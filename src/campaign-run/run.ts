import { join } from 'node:path';
import type { DriverName } from '../campaign/campaign.ts';
import { expandControls, expandTrials, subjectsOf, type TrialKey, trialKey } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import type { History } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import { appendRecord } from '../history/write.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { tryForged } from '../judge/forged.ts';
import type { RunFacts, RunSummary } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import { isGolden, measureOf, planOf, referenceOf, runGolden } from './golden-run.ts';
import { pool } from './pool.ts';
import { makeRunDirectory } from './run-directory.ts';
import { writeRunFile } from './run-file.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';
import { withSetup } from './set-up.ts';

export interface RunOptions {
  campaign: LoadedCampaign;
  /** The campaign as it was named, for the commands that replay a trial. */
  target: string;
  driver: DriverName;
  seeds: number[];
  /** Names of the campaign's own. */
  scenarios: string[];
  subjects: string[];
  variants: string[];
  /** Whether the null campaign and forged histories are part of it. */
  controls: boolean;
  workers: number;
  keep: Setup['keep'];
  /** Default: a new one under `reports/runs`. */
  runDirectory?: string;
  /** Aborted: no new trial is begun, and what there is is judged. */
  signal?: AbortSignal;
  onProgress?(event: RunProgress): void;
}

export interface RunProgress {
  type: 'golden' | 'trial' | 'control';
  done: number;
  total: number;
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
 * The order of the trials does not matter: plans come from seeds and the golden run, and a trial shares nothing with another.
 */
export async function runCampaign(options: RunOptions): Promise<RunOutcome> {
  const began_ms = performance.now();
  const { campaign } = options.campaign;
  const subjects = named(subjectsOf(campaign), options.subjects);
  const variants = named(campaign.variants ?? [], options.variants);
  // A quota is for a whole campaign, and a part of one can't be held to it.
  const isWhole = options.seeds.length >= parseSeeds(campaign.seeds).length;
  const scenarios = named(campaign.scenarios, options.scenarios).map((scenario) => (isWhole ? scenario : { ...scenario, quotas: {} }));
  const runDirectory = await makeRunDirectory(options.runDirectory, campaign.name, new Date());

  return withSetup({ campaign: options.campaign, driver: options.driver, variants, runDirectory, keep: options.keep }, async (setup) => {
    const records: TrialRecord[] = [];
    const facts: RunFacts = {
      target: options.target,
      defaultDriver: Object.keys(campaign.timing)[0] as DriverName,
      campaign: campaign.name,
      driver: options.driver,
      scenarios,
      subjects,
      variants,
      invariants: setup.invariants.map(({ name }) => name),
      forged: null,
      nullCampaign: null,
      wallMs: 0,
      runDirectory,
    };
    async function outcome(judged: TrialRecord[], more: Partial<RunFacts>): Promise<RunOutcome> {
      const whole = { ...facts, ...more, wallMs: Math.round(performance.now() - began_ms) };
      await writeRunFile(runDirectory, whole, { finished: options.signal?.aborted !== true, goldenRuns: goldens.length });
      return { summary: judgeRun(judged, whole), records };
    }

    /** `count` counts it once it is on disk, because trials that end together are not written in the order in which they ended. */
    async function keep(type: RunProgress['type'], { record }: JudgedTrial, total: number, count: () => number) {
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
    const golden = measureOf(setup, goldens[0] as JudgedTrial);

    /** What violations are planted into: the golden runs, and a held trial of each scenario. */
    const held = new Map<string, History>(goldens.map(({ history }) => [history.trial.id, history]));
    const selection = { seeds: options.seeds, scenarios, subjects, variants };
    const kernels = expandTrials(campaign, selection);
    const controls = expandControls(campaign, selection);
    const undisturbed = options.controls ? options.seeds.map((seed) => trialKey(campaign, noFaults, reference, null, seed)) : [];
    const real: TrialRecord[] = [];
    const nullCampaign: TrialRecord[] = [];

    const runAll = async (type: RunProgress['type'], keys: TrialKey[], into: TrialRecord[]) => {
      let done = 0;
      const work = async (key: TrialKey) => {
        const trial = await runAndJudge(setup, key, planOf(campaign, key, golden), golden);
        const { scenario, variant, verdict } = trial.record;
        if (variant === null && verdict === 'held' && !held.has(scenario)) held.set(scenario, trial.history);
        into.push(trial.record);
        await keep(type, trial, keys.length, () => ++done);
      };
      await pool(keys, options.workers, work, options.signal);
    };
    await runAll('trial', kernels, real);
    await runAll('control', undisturbed, nullCampaign);
    await runAll('control', controls, real);

    return outcome(real, options.controls ? { forged: tryForged(setup.invariants, [...held.values()]), nullCampaign } : {});
  });
}

function named<T extends { name: string }>(all: T[], names: string[]): T[] {
  return all.filter(({ name }) => names.includes(name));
}
