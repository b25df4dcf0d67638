import type { DriverName, Subject } from '../campaign/campaign.ts';
import { type TrialKey, trialKey } from '../campaign/expand.ts';
import type { History } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { sourceOf } from '../judge/findings.ts';
import { tryForged } from '../judge/forged.ts';
import type { RunFacts } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Golden } from '../plan/scenario.ts';
import type { Chosen } from './chosen.ts';
import { isGolden, measureOf, planOf, referenceOf, runGolden } from './golden-run.ts';
import { plansOf, requireSameGolden } from './identity.ts';
import type { OpenRun } from './open-run.ts';
import { pool } from './pool.ts';
import { type RunIdentity, type RunRequest, requireSameIdentity } from './request.ts';
import { requireRoom } from './room.ts';
import type { RunOptions, RunOutcome, RunProgress } from './run.ts';
import { runFileOf } from './run-file.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';
import type { RunTrials } from './run-trials.ts';
import { runTwice } from './run-twice.ts';

/** A run that is about to be gone through. */
export interface Going {
  options: RunOptions;
  run: OpenRun;
  setup: Setup;
  chosen: Chosen;
  trials: RunTrials;
  request: RunRequest;
  identity: RunIdentity;
  began_ms: number;
}

/** Runs what is not recorded yet, the golden runs first, and judges all of it. */
export async function goThrough({ options, run, setup, chosen, trials, request, identity, began_ms }: Going): Promise<RunOutcome> {
  const { campaign } = setup;
  const records: TrialRecord[] = [];
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  let cut: RunFacts['cut'];
  const cutAt = (why: RunFacts['cut']) => {
    cut ??= why;
    stop.abort();
  };
  const timer = options.timeBudgetMs === undefined ? null : setTimeout(cutAt, options.timeBudgetMs, 'time-budget').unref();

  const reference = referenceOf(setup);
  const goldenSubjects = [reference, ...chosen.subjects.filter(({ name }) => name !== reference.name)];
  const facts = (): RunFacts => ({
    target: options.target,
    defaultDriver: Object.keys(campaign.timing)[0] as DriverName,
    campaign: campaign.name,
    driver: options.driver,
    ...chosen,
    invariants: setup.invariants.map(({ name }) => name),
    forged: null,
    nullCampaign: null,
    wallMs: (run.before?.facts.wallMs ?? 0) + Math.round(performance.now() - began_ms),
    runDirectory: run.directory,
    ...(request.shard && { shard: { index: request.shard.index, of: request.shard.of } }),
  });
  const write = (facts: RunFacts, finished: boolean) =>
    run.writeFile(runFileOf(facts, { finished, goldenRuns: goldenSubjects.length, trials: trials.whole.trials, request, identity }));

  async function outcome(judged: TrialRecord[], more: Partial<RunFacts>): Promise<RunOutcome> {
    const whole: RunFacts = { ...facts(), ...more, ...(cut && { cut }) };
    if (cut) whole.scenarios = whole.scenarios.map(({ name }) => ({ name }));
    await write(whole, options.signal?.aborted !== true);
    return { summary: judgeRun(judged, whole), records };
  }

  /** `count` counts a new one once it is on disk, because trials that end together are not written in the order in which they ended. */
  async function take(type: RunProgress['type'], record: TrialRecord, isNew: boolean, total: number | null, count: () => number) {
    if (isNew) await run.record(record);
    records.push(record);
    await options.onProgress?.({ type, done: count(), total, record });
  }

  await write(facts(), false);
  const goldens: JudgedTrial[] = [];
  for (const subject of goldenSubjects) {
    const { history, record } = await runGolden(setup, subject);
    const before = run.goldenRuns.get(record.id);
    if (before) requireSameGolden(run.directory, before, record);
    const trial = { history, record: before ?? record };
    goldens.push(trial);
    await take('golden', trial.record, before === undefined, goldenSubjects.length, () => goldens.length);
    if (!isGolden(trial)) return outcome([trial.record], { scenarios: [noFaults], subjects: [subject], variants: [] });
  }
  const golden = run.golden ?? (await measureOf(setup, goldens[0] as JudgedTrial));
  if (!run.golden) await run.writeGolden(golden);
  identity.plans = plansOf(campaign, chosen.scenarios, options.seeds, golden);
  if (run.before?.identity) requireSameIdentity(run.directory, run.before.identity, identity);
  await write(facts(), false);

  /** What violations are planted into: the golden runs, and a held trial of each scenario. */
  const held = new Map<string, History>(goldens.map(({ history }) => [history.trial.id, history]));
  const real: TrialRecord[] = [];
  const nullCampaign: TrialRecord[] = [];
  const runOne = options.checkDeterminism ? runTwice : runAndJudge;

  async function runAll(type: RunProgress['type'], keys: Iterable<TrialKey>, total: number | null, into: TrialRecord[]) {
    let done = 0;
    const work = async (key: TrialKey) => {
      const before = run.trials.get(key.id);
      const trial = before ? null : await runOne(setup, key, planOf(campaign, key, golden), golden);
      if (trial) await requireRoom(setup.root, run.directory);
      const record = before ?? (trial as JudgedTrial).record;
      const { scenario, variant, verdict } = record;
      if (trial && variant === null && verdict === 'held' && !held.has(scenario)) held.set(scenario, trial.history);
      into.push(record);
      await take(type, record, trial !== null, total, () => ++done);
      if (type === 'trial' && (options.bail || options.freshSeeds !== undefined) && isFailure(record, chosen.subjects)) cutAt('broken');
    };
    await pool(keys, options.workers, work, signal);
  }
  const runKernels = () => runAll('trial', trials.kernels(), trials.kernelTrials, real);
  const runControls = async () => {
    await runAll('control', trials.undisturbed, trials.undisturbed.length, nullCampaign);
    await runAll('control', trials.controls, trials.controls.length, real);
  };
  const controlsFirst = options.freshSeeds !== undefined || timer !== null;
  for (const part of controlsFirst ? [runControls, runKernels] : [runKernels, runControls]) await part();
  if (timer) clearTimeout(timer);

  // What was not run is not judged.
  if (cut === 'broken' && !controlsFirst) return outcome(real, { variants: [] });
  if (!options.controls) return outcome(real, {});
  if (run.before && !signal.aborted) await runHeldAgain(setup, chosen, [...real, ...nullCampaign], golden, held);
  return outcome(real, { forged: tryForged(setup.invariants, [...held.values()]), nullCampaign });
}

/** The histories of held trials that were recorded before this harness was started: one of each scenario. They are needed and not kept, so these trials are run again. */
async function runHeldAgain(setup: Setup, chosen: Chosen, records: TrialRecord[], golden: Golden, held: Map<string, History>) {
  for (const scenario of [...chosen.scenarios, noFaults]) {
    if (held.has(scenario.name)) continue;
    const record = records.find((one) => one.scenario === scenario.name && one.variant === null && one.verdict === 'held');
    const subject = chosen.subjects.find(({ name }) => name === record?.subject);
    if (!record || !subject) continue;
    const key = trialKey(setup.campaign, scenario, subject, null, record.seed);
    const again = await runAndJudge({ ...setup, keep: 'none' }, key, planOf(setup.campaign, key, golden), golden);
    if (again.record.verdict === 'held') held.set(scenario.name, again.history);
  }
}

/** Whether it broke something that nobody knew of. */
function isFailure(record: TrialRecord, subjects: Subject[]): boolean {
  return record.violations.some((violation) => sourceOf(record, violation, subjects) === null);
}
