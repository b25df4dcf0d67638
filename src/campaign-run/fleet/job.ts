import type { Campaign, Subject } from '../../campaign/campaign.ts';
import { subjectsOf, type TrialKey, trialKey } from '../../campaign/expand.ts';
import type { TrialRecord } from '../../history/record.ts';
import { noFaults } from '../../plan/no-faults.ts';
import type { Plan } from '../../plan/plan.ts';
import { printPlan } from '../../plan/print.ts';
import type { Scenario } from '../../plan/scenario.ts';
import type { Parcel } from './parcel.ts';

/** A trial on its way to a worker. The job's id is the trial's; of a repetition it is `repetitionId`. */
export interface TrialJob {
  scenario: string;
  subject: string;
  variant: string | null;
  seed: number;
  /** As the run drew it: the worker must draw the same. */
  plan: string;
  /** The worker that must not take it, because the trial was run there. */
  not: string | null;
}

/** A trial on its way back. */
export interface TrialResult {
  record: TrialRecord;
  /** Host and pid. */
  worker: string;
  /** What is kept of it; null: nothing. */
  parcel: Parcel | null;
}

export const repetitionId = (id: string) => `${id}+again`;

/** The trial that a job or its repetition is of. */
export const trialIdOf = (jobId: string) => jobId.replace(/\+again$/, '');

export function jobOf({ scenario, subject, variant, seed }: TrialKey, plan: Plan, not: string | null): TrialJob {
  return { scenario: scenario.name, subject: subject.name, variant: variant?.name ?? null, seed, plan: printPlan(plan), not };
}

/** The trial of a job, whose names the campaign has. */
export function keyOf(campaign: Campaign, { scenario, subject, variant, seed }: TrialJob): TrialKey {
  const named = <T extends { name: string }>(all: T[], name: string) => all.find((one) => one.name === name);
  return trialKey(
    campaign,
    named([noFaults, ...campaign.scenarios], scenario) as Scenario,
    named(subjectsOf(campaign), subject) as Subject,
    variant === null ? null : (named(campaign.variants ?? [], variant) ?? null),
    seed,
  );
}
