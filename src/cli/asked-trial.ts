import type { Campaign, DriverName } from '../campaign/campaign.ts';
import { subjectsOf } from '../campaign/expand.ts';
import { oneOf } from '../campaign/nearest.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Finding } from '../judge/findings.ts';
import { noFaults } from '../plan/no-faults.ts';
import { parsePlan } from '../plan/parse.ts';
import type { Plan } from '../plan/plan.ts';
import { choose } from './choose.ts';
import { chooseDriver } from './choose-driver.ts';
import { UsageError } from './exit-code.ts';
import { findRecord } from './find-record.ts';

/** How one trial is named on the command line. */
export interface TrialOptions {
  seed?: number;
  scenario?: string;
  plan?: string;
  record?: string;
  /** Of a run, the finding that is about this one. */
  invariant?: string;
  subject?: string;
  variant?: string;
  driver?: DriverName;
}

/** What is to be run again. */
interface Asked {
  driver: DriverName;
  subject: string;
  variant: string | null;
  scenario: string;
  seed: number;
  /** Null: as the seed draws it. */
  plan: Plan | null;
  /** How it ended before, where that is known. */
  before: TrialRecord | null;
  /** The finding of a run whose example it is; null: it was named, or made up. */
  finding: Finding | null;
}

/** Throws UsageError, PlanError and UnreadableFileError. */
export async function askedOf(campaign: Campaign, options: TrialOptions): Promise<Asked> {
  const ways = [options.record, options.plan, options.seed].filter((way) => way !== undefined);
  if (ways.length === 0) throw new UsageError("which trial? Write --scenario X --seed S, or --plan '…', or --record FILE[:ID].");
  if (options.record !== undefined && ways.length > 1)
    throw new UsageError('--record already says what to run: leave --plan and --seed out.');
  const { record: before, finding } =
    options.record === undefined ? { record: null, finding: null } : await findRecord(options.record, options.invariant);
  if (options.plan === undefined && before === null && options.scenario === undefined)
    throw new UsageError(
      `a seed draws another plan in each scenario: add --scenario. ${oneOf(
        '',
        campaign.scenarios.map(({ name }) => name),
      )}`,
    );
  const variant = options.variant ?? before?.variant ?? null;
  return {
    driver: chooseDriver(campaign, options.driver ?? before?.driver),
    subject: one('subject', subjectsOf(campaign), options.subject ?? before?.subject),
    variant: variant === null ? null : one('variant', campaign.variants ?? [], variant),
    scenario: one('scenario', [...campaign.scenarios, noFaults], options.scenario ?? before?.scenario),
    seed: options.seed ?? before?.seed ?? (parseSeeds(campaign.seeds)[0] as number),
    plan: options.plan !== undefined ? parsePlan(options.plan) : before === null ? null : parsePlan(before.plan),
    before,
    finding,
  };
}

/** The name asked for, or the first. Throws a UsageError. */
function one(what: string, items: { name: string }[], name: string | undefined): string {
  return (choose(what, items, name === undefined ? [] : [name])[0] as { name: string }).name;
}
