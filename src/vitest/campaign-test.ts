import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Campaign, DriverName, Timing } from '../campaign/campaign.ts';
import { defaultDriverOf, expandControls, expandTrials, subjectsOf, type TrialKey, trialKey, VARIANT_TRIALS } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import { chosenOf } from '../campaign-run/chosen.ts';
import { isGolden } from '../campaign-run/golden-run.ts';
import { pool } from '../campaign-run/pool.ts';
import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import { chooseDriver } from '../cli/choose-driver.ts';
import { shrinkOn } from '../cli/shrink-findings.ts';
import { defaultWorkers } from '../cli/workers.ts';
import { allInvariants } from '../invariants/all.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { withShrunk } from '../judge/findings.ts';
import { tryForged } from '../judge/forged.ts';
import type { RunFacts, RunSummary } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import { duration } from '../report/duration.ts';
import { plain } from '../report/paint.ts';
import { findingText } from '../report/terminal/findings.ts';
import { type OpenBench, openBench } from './open-bench.ts';
import { timeLimit } from './time-limit.ts';

export interface CampaignTestOptions {
  /** So many seeds, counted on from the campaign's first. Absent: the campaign's seeds. The environment's CRASH_CAMPAIGN_SEEDS goes before both. */
  trials?: number;
  /** Absent: the first that the campaign has timing for. */
  driver?: DriverName;
  /** Trials that run at once. Absent: as many as `run` takes. */
  workers?: number;
}

/** To shrink a finding, so many smaller plans are run: a test should not take long to say that it failed. */
const SHRINK_BUDGET = 40;

/**
 * Makes a campaign a part of a vitest suite: one test for each of its scenarios, one for each of its negative controls, and one without faults, on which the others build.
 * A scenario's test fails when it breaks an invariant (its message has the shrunk plan and the command that replays it) and when too little was hit; a control's when it is not caught.
 *
 *     campaignTest('the lock survives', campaign, { trials: 30 });
 *
 * @param campaign What `campaigns/<name>/campaign.ts` exports; or, where it lies elsewhere, its path (from the working directory) or URL.
 */
export function campaignTest(title: string, campaign: Campaign | string | URL, options: CampaignTestOptions = {}): void {
  const target = typeof campaign === 'string' ? campaign : campaign instanceof URL ? relative('', fileURLToPath(campaign)) : campaign.name;
  // An error of a test is shown at the line that asked for it, since there is no other of the user's.
  const asked = new Error();
  Error.captureStackTrace(asked, campaignTest);
  const fail = (message: string) => {
    const error = new Error(message);
    error.stack = `Error: ${message}\n${asked.stack?.split('\n').slice(1).join('\n') ?? ''}`;
    return error;
  };
  describe(title, async () => {
    await register(target, options, fail);
  });
}

/** Vitest ends no test of ours: they end themselves, and say why. */
const UNLIMITED = { timeout: 0 };

async function register(target: string, options: CampaignTestOptions, fail: (message: string) => Error): Promise<void> {
  const loaded = await loadCampaign(target);
  const { campaign } = loaded;
  const driver = chooseDriver(campaign, options.driver);
  const timing = campaign.timing[driver] as Timing;
  const workers = options.workers ?? defaultWorkers(driver);
  const seeds = seedsOf(campaign, options);
  const subjects = subjectsOf(campaign);
  const all = chosenOf(campaign, {
    driver,
    seeds,
    scenarios: campaign.scenarios.map(({ name }) => name),
    subjects: subjects.map(({ name }) => name),
    variants: (campaign.variants ?? []).filter(({ expect }) => expect).map(({ name }) => name),
  });
  const defaultDriver = defaultDriverOf(campaign);

  let opened: OpenBench | undefined;
  const bench = () => (opened as OpenBench).bench;
  beforeAll(async () => {
    opened = await openBench({ campaign: loaded, driver, variants: all.variants.map(({ name }) => name) });
    const { golden } = bench();
    if (isGolden(golden)) return;
    const why = golden.record.violations.map(({ invariant, message }) => `${invariant}: ${message}`);
    throw fail(
      `${campaign.name} does not hold without faults: ${why.join('; ') || 'it wrote no event'}. See it: npx crash-campaign replay ${target} --plan 'no faults' --timeline`,
    );
  }, 0);
  afterAll(() => opened?.close(), 0);

  /** Runs the trials, and judges them as the run that they would be. */
  async function judged(
    keys: TrialKey[],
    signal: AbortSignal,
    facts: Pick<RunFacts, 'scenarios'> & Partial<RunFacts>,
  ): Promise<{ summary: RunSummary; trials: JudgedTrial[] }> {
    const { golden } = bench();
    const limit_ms = timeLimit(keys.length, { golden_ms: golden.record.wall_ms, workers, driver, timing });
    const began_ms = performance.now();
    const limit = AbortSignal.timeout(limit_ms);
    const trials: JudgedTrial[] = [];
    await pool(
      keys,
      workers,
      async ({ subject, variant, scenario, seed }) => {
        const about = { subject: subject.name, variant: variant?.name ?? null, scenario: scenario.name, seed };
        trials.push(await bench().run(about, bench().planOf(about)));
      },
      AbortSignal.any([signal, limit]),
    );
    signal.throwIfAborted();
    if (trials.length < keys.length)
      throw fail(
        `only ${trials.length} of ${keys.length} trials were run in ${duration(limit_ms)}, though the golden run took ${duration(golden.record.wall_ms)}: does something stand still, or is the machine too busy?`,
      );
    const summary = judgeRun(
      trials.map(({ record }) => record),
      {
        target,
        defaultDriver,
        campaign: campaign.name,
        driver,
        subjects,
        variants: [],
        invariants: (campaign.invariants ?? allInvariants).map(({ name }) => name),
        forged: null,
        nullCampaign: null,
        wallMs: Math.round(performance.now() - began_ms),
        runDirectory: '',
        ...facts,
      },
    );
    return { summary, trials };
  }

  for (const { name } of all.leftOut) test.skip(`${name} (not under ${driver})`);
  for (const name of all.untried) test.skip(`control ${name} (none of its scenarios is run)`);

  for (const scenario of all.scenarios)
    test(scenario.name, UNLIMITED, async ({ signal }) => {
      const { summary } = await judged(expandTrials(campaign, { seeds, scenarios: [scenario], subjects, variants: [] }), signal, {
        scenarios: [scenario],
      });
      if (summary.verdict === 'pass') return;
      if (summary.verdict !== 'fail') throw fail(`${summary.verdict}: ${summary.reasons.join('; ')}`);
      const broken = summary.findings.filter(({ known }) => !known);
      const shrunk = await shrinkOn(bench(), broken, { workers, signal, budget: SHRINK_BUDGET });
      const findings = withShrunk(broken, { shrunk, driver, target, defaultDriver });
      throw fail([scenario.title, ...findings.map((finding) => findingText(finding, plain))].join('\n\n'));
    });

  for (const variant of all.variants)
    test(`control ${variant.name} is caught`, UNLIMITED, async ({ signal }) => {
      const scenarios = all.scenarios.filter(({ name }) => variant.scenarios?.includes(name) ?? true);
      const { summary } = await judged(expandControls(campaign, { seeds, scenarios, subjects, variants: [variant] }), signal, {
        scenarios,
        variants: [variant],
      });
      const [control] = summary.controls;
      if (!control?.met)
        throw fail(summary.reasons.find((reason) => reason.includes(variant.name)) ?? `control ${variant.name} was not caught`);
    });

  test('without faults', UNLIMITED, async ({ signal }) => {
    const keys = seeds
      .slice(0, VARIANT_TRIALS)
      .map((seed) => trialKey(campaign, noFaults, subjects[0] as (typeof subjects)[0], null, seed));
    const { summary, trials } = await judged(keys, signal, { scenarios: [noFaults] });
    const held = [bench().golden, ...trials].filter(({ record }) => record.verdict === 'held').map(({ history }) => history);
    const forged = tryForged(campaign.invariants ?? allInvariants, held).filter(({ result }) => result === 'accepted');
    if (forged.length > 0)
      throw fail(
        `blind: ${forged.map(({ invariant }) => invariant).join(', ')} accepted a history into which a violation of it had been planted`,
      );
    if (summary.verdict !== 'pass') throw fail(`${summary.verdict}: ${summary.reasons.join('; ')}`);
  });
}

function seedsOf(campaign: Campaign, { trials }: CampaignTestOptions): number[] {
  const asked = process.env['CRASH_CAMPAIGN_SEEDS'];
  if (asked) return parseSeeds(asked, 'CRASH_CAMPAIGN_SEEDS');
  const own = parseSeeds(campaign.seeds);
  const first = own[0] as number;
  return trials === undefined ? own : parseSeeds(`${first}-${first + trials - 1}`, 'trials');
}
