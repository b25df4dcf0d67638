import type { LockAdapter } from '../locks/lock.ts';
import type { Scenario } from '../plan/scenario.ts';
import { stream } from '../random/stream.ts';
import type { Campaign, DriverName, Subject, Variant } from './campaign.ts';

/** What makes one trial of a campaign, before its plan is drawn. */
export interface TrialKey {
  /** `campaign/scenario/subject/variant|-/seed`: unique in a run, and the order in which runs are digested. */
  id: string;
  subject: Subject;
  variant: Variant | null;
  scenario: Scenario;
  seed: number;
}

/** What of a campaign is to be run. Names that the campaign does not have are not looked for here: the caller has checked them. */
export interface Selection {
  seeds: number[];
  scenarios: Scenario[];
  subjects: Subject[];
  variants: Variant[];
}

/** How many seeds a variant is tried with in each of its scenarios, unless it says otherwise. */
export const VARIANT_TRIALS = 10;

/** The campaign's subjects; one that is named like the campaign when it declares none. */
export function subjectsOf(campaign: Campaign): Subject[] {
  return campaign.subjects ?? [{ name: campaign.name }];
}

/** How the lock of a subject looks, by the subject's name. */
export function lockOf(campaign: Campaign, subject: string): LockAdapter {
  return subjectsOf(campaign).find(({ name }) => name === subject)?.lock ?? campaign.lock;
}

/** The driver that runs a campaign when nobody says which: the first that it has timing for. */
export function defaultDriverOf({ timing }: Pick<Campaign, 'timing'>): DriverName {
  return Object.keys(timing)[0] as DriverName;
}

/** Whether a driver can do what a scenario plans. */
export function isFor({ drivers }: Pick<Scenario, 'drivers'>, driver: DriverName): boolean {
  return drivers?.includes(driver) ?? true;
}

/** Whether a scenario says something of a subject. */
export function appliesTo({ name }: Pick<Scenario, 'name'>, { notApplicable = {} }: Subject): boolean {
  return !Object.hasOwn(notApplicable, name);
}

/**
 * The trials of the kernels as they are: scenarios × seeds × subjects; of a scenario that says how many trials it is worth, the first of the seeds. Those of one seed follow each other, so that a machine that grows slower does so for all subjects alike,
 * in an order that is drawn, so that none of them is always the first.
 */
export function expandTrials(campaign: Campaign, { seeds, scenarios, subjects }: Selection): TrialKey[] {
  return scenarios.flatMap((scenario) =>
    seeds.slice(0, scenario.trials).flatMap((seed) => {
      const { next } = stream('order', campaign.name, scenario.name, seed);
      const drawn = subjects
        .filter((subject) => appliesTo(scenario, subject))
        .map((subject) => ({ subject, place: next() }))
        .toSorted((a, b) => a.place - b.place);
      return drawn.map(({ subject }) => trialKey(campaign, scenario, subject, null, seed));
    }),
  );
}

/** How the durable state of a subject is read. */
export function readerOf(campaign: Campaign, subject: string): Campaign['read'] {
  return subjectsOf(campaign).find(({ name }) => name === subject)?.read ?? campaign.read;
}

/** The trials of the variants, each of its subject, and that is the reference unless it says otherwise: in its scenarios, with the first of the seeds. */
export function expandControls(campaign: Campaign, { seeds, scenarios, variants }: Selection): TrialKey[] {
  const subjects = subjectsOf(campaign);
  const [first] = subjects as [Subject, ...Subject[]];
  return variants.flatMap((variant) => {
    const subject = subjects.find(({ name }) => name === variant.subject) ?? first;
    return scenarios
      .filter((scenario) => isTriedIn(variant, [scenario]) && appliesTo(scenario, subject))
      .flatMap((scenario) =>
        seeds.slice(0, variant.trials ?? VARIANT_TRIALS).map((seed) => trialKey(campaign, scenario, subject, variant, seed)),
      );
  });
}

/** Whether a variant is tried in one of these scenarios. */
export function isTriedIn(variant: Pick<Variant, 'scenarios'>, scenarios: Pick<Scenario, 'name'>[]): boolean {
  return scenarios.some(({ name }) => variant.scenarios?.includes(name) ?? true);
}

export function trialKey(campaign: Campaign, scenario: Scenario, subject: Subject, variant: Variant | null, seed: number): TrialKey {
  return { id: [campaign.name, scenario.name, subject.name, variant?.name ?? '-', seed].join('/'), subject, variant, scenario, seed };
}
