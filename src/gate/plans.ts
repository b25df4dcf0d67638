import type { Campaign, DriverName } from '../campaign/campaign.ts';
import { appliesTo, isFor, subjectsOf } from '../campaign/expand.ts';
import { printSeeds } from '../campaign/seeds.ts';
import { sha256 } from '../campaign-run/request.ts';
import type { Outcome } from '../compare/outcome.ts';
import { IncomparableError } from '../compare/pair.ts';
import type { Baseline } from './baseline.ts';

const REMEDY = 'Compare with --against <git-ref>, which gives both versions the same plans, or write it anew with --update.';

/** SHA-256 over the plans of these trials, in order of scenario and seed: the same for all subjects, and for a part of them. */
export function digestOfPlans(outcomes: Pick<Outcome, 'scenario' | 'seed' | 'plan'>[]): string {
  const lines = new Set(outcomes.map(({ scenario, seed, plan }) => `${scenario}/${seed} ${plan}`));
  return sha256([...lines].toSorted());
}

/** Throws an IncomparableError when a baseline is of other trials than are about to be run. */
export function requireSameTrials(
  file: string,
  baseline: Baseline,
  { campaign, driver, seeds }: { campaign: Campaign; driver: DriverName; seeds: number[] },
): void {
  const subjects = subjectsOf(campaign);
  const tried = campaign.scenarios.filter((one) => isFor(one, driver) && subjects.some((subject) => appliesTo(one, subject)));
  const names = (all: string[]) => [...new Set(all)].toSorted().join(', ');
  const differences: [field: string, was: string, is: string][] = [
    ['campaign is', baseline.campaign, campaign.name],
    ['driver is', baseline.driver, driver],
    ['seeds are', baseline.seeds, printSeeds(seeds)],
    [
      'scenarios are',
      names(baseline.subjects.flatMap((subject) => subject.scenarios.map(({ name }) => name))),
      names(tried.map(({ name }) => name)),
    ],
  ];
  const [different] = differences.filter(([, was, is]) => was !== is);
  if (!different) return;
  const [field, was, is] = different;
  throw new IncomparableError(`${file} was made from other plans: its ${field} ${was}, and now ${is}`, REMEDY);
}

/** Why a baseline says nothing of trials that draw other plans; null: they draw the same. */
export function refusalOf(file: string, baseline: Baseline, digest: string): string | null {
  if (baseline.plans === digest) return null;
  const [then, now] = [baseline.plans.slice(0, 12), digest.slice(0, 12)];
  return (
    `recovery was not compared, because ${file} was made from other plans (${then} then, ${now} now): the kernel does other things now when nothing happens to it, ` +
    `or a scenario, a time or crash-campaign has changed. ${REMEDY}`
  );
}
