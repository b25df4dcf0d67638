import { defaultDriverOf, subjectsOf, type TrialKey, trialKey } from '../campaign/expand.ts';
import { isGolden, measureOf, planOf, referenceOf, runGolden } from '../campaign-run/golden-run.ts';
import { pool } from '../campaign-run/pool.ts';
import { type JudgedTrial, runAndJudge, type Setup } from '../campaign-run/run-trial.ts';
import { withSetup } from '../campaign-run/set-up.ts';
import { judgeTrial } from '../judge/judge.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Plan } from '../plan/plan.ts';
import { printPlan } from '../plan/print.ts';
import type { Golden } from '../plan/scenario.ts';
import { stream } from '../random/stream.ts';
import { exploreCrashes } from './crashes.ts';
import { type Explored, type ExploreOptions, type ExploreSummary, type SeenTrial, summarise } from './explore-summary.ts';
import { exploreBounded, explorePct } from './schedules.ts';

/** What searches use of an exploration that is going on. */
export interface Explorer {
  setup: Setup;
  golden: Golden;
  options: ExploreOptions;
  /** How many more trials the budget allows. */
  left(): number;
  /** Runs one trial that does not count. */
  probe(plan: Plan, watch?: Parameters<typeof runAndJudge>[4]): Promise<JudgedTrial>;
  /**
   * Runs a trial of each plan, as far as the budget goes. Of a plan with `changes`, so many of its last faults are changes of a schedule: when one is never reached, the trial was one of a
   * schedule with fewer. Resolves to what `then` makes of each, in the order of the plans and not in that in which the trials end. */
  runAll<T extends { plan: Plan; changes?: number }, R>(
    items: T[],
    then: (trial: JudgedTrial, item: T) => R,
    watch?: (item: T) => Parameters<typeof runAndJudge>[4],
  ): Promise<R[]>;
  /** At most so many of the items, drawn from the seed, in the order in which they were. */
  sample<T>(items: T[], most: number): T[];
}

/**
 * Searches for a plan that breaks an invariant, under sim: every single crash, or the deviations of a scenario's schedule.
 * The undisturbed run comes first, and must hold every invariant.
 */
export async function explore(options: ExploreOptions): Promise<ExploreSummary> {
  const began_ms = performance.now();
  const { campaign } = options.campaign;
  const variants = (campaign.variants ?? []).filter(({ name }) => name === options.variant);
  return withSetup({ campaign: options.campaign, driver: 'sim', variants, keep: 'none' }, async (setup) => {
    const scenario = campaign.scenarios.find(({ name }) => name === options.scenario) ?? noFaults;
    const subject = subjectsOf(campaign).find(({ name }) => name === options.subject) ?? referenceOf(setup);
    const key = trialKey(campaign, scenario, subject, variants[0] ?? null, options.seed);
    const trials: SeenTrial[] = [];
    const seen = ({ record }: JudgedTrial) => trials.push({ record, seenMs: Math.round(performance.now() - began_ms) });
    const finish = (explored: Pick<Explored, 'operations' | 'levels' | 'pairs'>) =>
      summarise(
        {
          campaign: campaign.name,
          search: options.search,
          crash: options.crash,
          subject: subject.name,
          variant: options.variant,
          scenario: scenario.name,
          seed: options.seed,
          ...explored,
          trials,
          interrupted: options.signal?.aborted === true,
          wallMs: Math.round(performance.now() - began_ms),
        },
        subjectsOf(campaign),
        { target: options.target, defaultDriver: defaultDriverOf(campaign) },
      );

    const first = await runGolden(setup, referenceOf(setup));
    if (!isGolden(first)) {
      seen(first);
      return finish({ operations: first.record.operations, levels: [], pairs: null });
    }
    const golden = await measureOf(setup, first);
    let budget = options.budget;
    const run = (plan: Plan, watch?: Parameters<typeof runAndJudge>[4]) => runAndJudge(setup, named(key, plan), plan, golden, watch);
    const rejudged = ({ record, history }: JudgedTrial, { plan, changes }: { plan: Plan; changes?: number }): JudgedTrial => {
      if (record.verdict !== 'void' || changes === undefined) return { record, history };
      return { history, record: { ...record, ...judgeTrial({ history, plan, invariants: setup.invariants, spare: changes }) } };
    };
    const explorer: Explorer = {
      setup,
      golden,
      options,
      left: () => budget,
      async probe(plan, watch) {
        const trial = await run(plan, watch);
        if (trial.record.verdict === 'broken') seen(trial);
        return trial;
      },
      async runAll(items, then, watch) {
        const chosen = items.slice(0, budget);
        budget -= chosen.length;
        const results = new Map<number, ReturnType<typeof then>>();
        const work = async ([index, item]: [number, (typeof items)[number]]) => {
          const trial = rejudged(await run(item.plan, watch?.(item)), item);
          seen(trial);
          results.set(index, then(trial, item));
          options.onTrial?.({ done: results.size, total: chosen.length, record: trial.record });
        };
        await pool(chosen.entries(), options.workers, work, options.signal);
        return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
      },
      sample(items, most) {
        if (items.length <= most) return items;
        return drawn(items, most, stream('explore', campaign.name, scenario.name, options.seed));
      },
    };
    const search = { crashes: exploreCrashes, bounded: exploreBounded, pct: explorePct }[options.search];
    return finish(await search(explorer, planOf(campaign, key, golden)));
  });
}

/** The trials of a search differ in nothing but their plans, and these aim at everything. */
function named(key: TrialKey, plan: Plan): TrialKey {
  return { ...key, id: `${key.id}/${printPlan(plan)}`, scenario: { ...key.scenario, aims: undefined } };
}

/** A sample without repetition, by Floyd's algorithm. */
function drawn<T>(items: T[], most: number, random: ReturnType<typeof stream>): T[] {
  const chosen = new Set<number>();
  for (let last = items.length - most; last < items.length; last++) {
    const index = random.int(0, last);
    chosen.add(chosen.has(index) ? last : index);
  }
  return items.filter((_, index) => chosen.has(index));
}
