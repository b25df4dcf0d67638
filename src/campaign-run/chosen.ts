import type { Campaign, Subject, Variant } from '../campaign/campaign.ts';
import { isFor, isTriedIn, subjectsOf } from '../campaign/expand.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import type { RunFacts } from '../judge/run-summary.ts';
import type { Scenario } from '../plan/scenario.ts';
import type { RunOptions } from './run.ts';

/** What of a campaign a run is of, by the names that were asked for. */
export interface Chosen {
  subjects: Subject[];
  /** Those that this driver can do, with the quotas that so many seeds are held to. */
  scenarios: Scenario[];
  leftOut: NonNullable<RunFacts['leftOut']>;
  /** Those that are tried in one of these scenarios. */
  variants: Variant[];
  untried: string[];
  /** Controls that these scenarios could have tried, and that were not asked for. */
  unasked: string[];
}

export function chosenOf(
  campaign: Campaign,
  options: Pick<RunOptions, 'driver' | 'seeds' | 'scenarios' | 'subjects' | 'variants' | 'freshSeeds'>,
): Chosen {
  // A quota is for a whole campaign, and a part of one can't be held to it.
  const isWhole = options.freshSeeds === undefined && options.seeds.length >= parseSeeds(campaign.seeds).length;
  const [scenarios, leftOut] = [true, false].map((is) =>
    named(campaign.scenarios, options.scenarios)
      .filter((scenario) => isFor(scenario, options.driver) === is)
      .map((scenario) => ({ ...scenario, quotas: isWhole ? quotasFor(scenario, options.seeds.slice(0, scenario.trials).length) : {} })),
  ) as [Scenario[], Scenario[]];
  // A variant of one subject says nothing of a run without it.
  const all = (campaign.variants ?? []).filter(({ subject }) => subject === undefined || options.subjects.includes(subject));
  const variants = named(all, options.variants);
  const unasked = all.filter((variant) => variant.expect && !variants.includes(variant) && isTriedIn(variant, scenarios));
  return {
    subjects: named(subjectsOf(campaign), options.subjects),
    scenarios,
    leftOut: leftOut.map(({ name, drivers = [] }) => ({ name, drivers })),
    variants: variants.filter((variant) => isTriedIn(variant, scenarios)),
    untried: variants.filter((variant) => !isTriedIn(variant, scenarios)).map(({ name }) => name),
    unasked: unasked.map(({ name }) => name),
  };
}

/** Quotas are of so many trials. */
const QUOTA_TRIALS = 30;

function quotasFor({ quotas = {} }: Scenario, trials: number): Scenario['quotas'] {
  const shares = Object.entries(quotas).map(([window, quota]) => [window, Math.floor(quota * Math.min(1, trials / QUOTA_TRIALS))]);
  return Object.fromEntries(shares.filter(([, quota]) => quota !== 0));
}

function named<T extends { name: string }>(all: T[], names: string[]): T[] {
  return all.filter(({ name }) => names.includes(name));
}
