import { defaultDriverOf, type TrialKey } from '../campaign/expand.ts';
import { condenser } from '../history/condense.ts';
import { byId } from '../history/digest.ts';
import type { History } from '../history/history.ts';
import type { TrialRecord } from '../history/record.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { breaksUnknown } from '../judge/findings.ts';
import { tryForged } from '../judge/forged.ts';
import type { RunFacts } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Chosen } from './chosen.ts';
import type { Connection } from './fleet/connection.ts';
import { gather } from './fleet/gather.ts';
import { PATIENCE_MS } from './fleet/patience.ts';
import { newQueueId, postingOf } from './fleet/posting.ts';
import { isGolden, measureOf, planOf, referenceOf, runGoldens } from './golden-run.ts';
import { plansOf, requireSameGolden } from './identity.ts';
import type { OpenRun } from './open-run.ts';
import { pool } from './pool.ts';
import { type RunIdentity, type RunRequest, requireSameIdentity } from './request.ts';
import { requireRoom } from './room.ts';
import type { RunOptions, RunOutcome, RunProgress } from './run.ts';
import { runFileOf } from './run-file.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';
import type { RunTrials } from './run-trials.ts';
import { type RanTrial, trialsHere } from './trial-runner.ts';

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
  /** To where the workers are; null: trials are run here. */
  connection: Connection | null;
}

/** Runs what is not recorded yet, the golden runs first, and judges all of it. */
export async function goThrough({
  options,
  run,
  setup,
  chosen,
  trials,
  request,
  identity,
  began_ms,
  connection,
}: Going): Promise<RunOutcome> {
  const { campaign } = setup;
  const records: TrialRecord[] = [];
  const condense = condenser();
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
    defaultDriver: defaultDriverOf(campaign),
    campaign: campaign.name,
    driver: options.driver,
    ttlMs: setup.timing.ttl_ms,
    ...chosen,
    invariants: setup.invariants.map(({ name }) => name),
    forged: null,
    nullCampaign: null,
    wallMs: (run.before?.facts.wallMs ?? 0) + Math.round(performance.now() - began_ms),
    runDirectory: run.directory,
    ...(request.shard && { shard: { index: request.shard.index, of: request.shard.of } }),
  });
  const queueId = run.before?.queue ?? (connection ? newQueueId(run.directory) : undefined);
  const write = (facts: RunFacts, finished: boolean) =>
    run.writeFile(
      runFileOf(facts, {
        finished,
        goldenRuns: goldenSubjects.length,
        trials: trials.whole.trials,
        ...(finished && { records: run.recorded() }),
        request,
        identity,
        ...(queueId !== undefined && { queue: queueId }),
      }),
    );

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
  for (const { history, record } of await runGoldens(setup, goldenSubjects, options.workers)) {
    const before = run.goldenRuns.get(record.id);
    if (before) requireSameGolden(run.directory, before, record);
    const trial = { history, record: before ?? record };
    goldens.push(trial);
    await take('golden', trial.record, before === undefined, goldenSubjects.length, () => goldens.length);
    const subjects = goldenSubjects.filter(({ name }) => name === record.subject);
    if (!isGolden(trial)) return outcome([trial.record], { scenarios: [noFaults], subjects, variants: [] });
  }
  const golden = run.golden ?? (await measureOf(setup, goldens[0] as JudgedTrial));
  if (!run.golden) await run.writeGolden(golden);
  identity.plans = plansOf(campaign, chosen.scenarios, options.seeds, golden);
  if (run.before?.identity) requireSameIdentity(run.directory, run.before.identity, identity);
  await write(facts(), false);

  const runner =
    connection && options.queue && queueId !== undefined
      ? await gather({
          connection,
          posting: postingOf({
            id: queueId,
            setup,
            identity,
            request,
            goldenRuns: goldens.map(({ record }) => record),
            leaseMs: options.queue.leaseMs,
          }),
          golden,
          runDirectory: run.directory,
          isRecorded: (id) => run.trials.has(id),
          patienceMs: options.queue.patienceMs ?? PATIENCE_MS,
          command: options.queue.command,
          signal,
          onNote: options.onNote ?? (() => {}),
        })
      : trialsHere(setup, golden, { workers: options.workers, checkDeterminism: request.checkDeterminism });

  /** What violations are planted into: of each scenario the held trial that is first by its id. */
  const held = new Map<string, History>();
  const real: TrialRecord[] = [];
  const nullCampaign: TrialRecord[] = [];

  async function runAll(type: RunProgress['type'], keys: Iterable<TrialKey>, total: number | null, into: TrialRecord[]) {
    let done = 0;
    const work = async (key: TrialKey) => {
      const before = run.trials.get(key.id);
      const trial = before ? null : await runner.run(key, planOf(campaign, key, golden));
      if (!before && !trial) return;
      if (trial) await requireRoom(setup.root, run.directory);
      const record = before ?? condense((trial as RanTrial).record);
      const { scenario, variant, verdict } = record;
      if (trial?.history && variant === null && verdict === 'held' && !((held.get(scenario)?.trial.id ?? record.id) < record.id))
        held.set(scenario, trial.history);
      into.push(record);
      await take(type, record, trial !== null, total, () => ++done);
      if (trial) await runner.recorded(record.id);
      if (type === 'trial' && (options.bail || options.freshSeeds !== undefined) && breaksUnknown(record, chosen.subjects)) cutAt('broken');
    };
    const failed = (error: unknown) => {
      // Workers elsewhere need not begin what is waiting for them.
      stop.abort();
      throw error;
    };
    await pool(keys, runner.atOnce, (key) => work(key).catch(failed), signal);
  }
  const runKernels = () => runAll('trial', trials.kernels(), trials.kernelTrials, real);
  const runControls = async () => {
    await runAll('control', trials.undisturbed, trials.undisturbed.length, nullCampaign);
    await runAll('control', trials.controls, trials.controls.length, real);
  };
  const controlsFirst = options.freshSeeds !== undefined || timer !== null;
  try {
    for (const part of controlsFirst ? [runControls, runKernels] : [runKernels, runControls]) await part();
  } finally {
    await runner.close();
  }
  if (timer) clearTimeout(timer);

  // What was not run is not judged.
  if (cut === 'broken' && !controlsFirst) return outcome(real, { variants: [] });
  if (!options.controls) return outcome(real, {});
  const runAgain = (key: TrialKey) => runAndJudge({ ...setup, keep: 'none' }, key, planOf(campaign, key, golden), golden);
  const histories = await heldOf(chosen, [...real, ...nullCampaign], held, signal.aborted ? null : runAgain);
  return outcome(real, { forged: tryForged(setup.invariants, [...goldens.map(({ history }) => history), ...histories]), nullCampaign });
}

/**
 * Of each scenario the history of its first held trial. One that was recorded before this harness was started is run again: the history of a trial that held is not kept.
 */
async function heldOf(
  { scenarios, subjects }: Chosen,
  records: TrialRecord[],
  held: Map<string, History>,
  runAgain: ((key: TrialKey) => Promise<JudgedTrial>) | null,
): Promise<History[]> {
  const histories: History[] = [];
  for (const scenario of [...scenarios, noFaults]) {
    const [first] = records.filter((one) => one.scenario === scenario.name && one.variant === null && one.verdict === 'held').sort(byId);
    const subject = subjects.find(({ name }) => name === first?.subject);
    if (!first || !subject) continue;
    const known = held.get(scenario.name);
    if (known?.trial.id === first.id || runAgain === null) {
      if (known) histories.push(known);
      continue;
    }
    const again = await runAgain({ id: first.id, scenario, subject, variant: null, seed: first.seed });
    // Under the real clock it may have gone otherwise.
    if (again.record.verdict === 'held') histories.push(again.history);
  }
  return histories;
}
