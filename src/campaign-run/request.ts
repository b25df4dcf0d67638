import { createHash } from 'node:crypto';
import type { DriverName } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { printSeeds } from '../campaign/seeds.ts';
import type { Shard } from '../judge/run-summary.ts';
import type { RunOptions } from './run.ts';
import type { Setup } from './run-trial.ts';

/** What a run was asked for, as its directory keeps it: what a resumed run goes on with. Names are the campaign's own. */
export interface RunRequest {
  driver: DriverName;
  probe: boolean;
  /** As `--seeds` takes them. */
  seeds: string;
  scenarios: string[];
  subjects: string[];
  variants: string[];
  controls: boolean;
  bail: boolean;
  freshSeeds: number | null;
  checkDeterminism: boolean;
  /** The share of the trials that two workers run. */
  verify: number | null;
  timeBudgetMs: number | null;
  keep: Setup['keep'];
  shard: ShardRequest | null;
}

/** `durations`: the run by whose recorded durations the shards are balanced. */
export interface ShardRequest extends Shard {
  durations: string | null;
}

/** What has to be the same for the records of one run to belong together. */
export interface RunIdentity {
  'crash-campaign': string;
  node: string;
  /** SHA-256 over the kernels' sources, of each subject. */
  kernels: string;
  /** SHA-256 over the plans that the first seeds draw; null until the golden run has been measured. */
  plans: string | null;
  /** SHA-256 over all trial ids, and how they are dealt to the shards. */
  trials: string;
  /** SHA-256 over what the campaign declares beside kernels and plans. Absent in older runs. */
  declared?: string;
}

/** What is asked for, in the form in which it is kept and compared. */
export function requestOf(options: RunOptions): RunRequest {
  return {
    driver: options.driver,
    probe: options.probe === true,
    seeds: printSeeds(options.seeds),
    scenarios: options.scenarios,
    subjects: options.subjects,
    variants: options.variants,
    controls: options.controls,
    bail: options.bail === true,
    freshSeeds: options.freshSeeds ?? null,
    checkDeterminism: options.checkDeterminism === true,
    verify: options.verify ?? null,
    timeBudgetMs: options.timeBudgetMs ?? null,
    keep: options.keep,
    shard: options.shard ?? null,
  };
}

const IDENTITY: Record<keyof RunIdentity, string> = {
  'crash-campaign': 'this is another version of crash-campaign',
  node: 'this is another version of node',
  kernels: 'the kernel has changed since',
  plans: 'its scenarios draw other plans now',
  trials: 'it has other trials now, or the durations by which it was sharded have changed',
  declared: 'its campaign declares other timing, scenarios, locks or invariants now',
};

/** Throws a CampaignError unless the two are of one run. What is null on either side is not known yet, and what is absent was not recorded. */
export function requireSameIdentity(
  directory: string,
  before: RunIdentity,
  now: RunIdentity,
  { problem: what, remedy } = { problem: `the run in ${directory} can't be gone on with`, remedy: 'Start a new run.' },
): void {
  const difference = differenceOf(before, now);
  if (difference)
    throw new CampaignError({ problem: `${what}: ${difference.problem} (${difference.was}, and now ${difference.is})`, remedy });
}

/** The first thing in which the two are not of one run; null: there is none, as far as it is known. */
export function differenceOf(before: RunIdentity, now: RunIdentity): { problem: string; was: string; is: string } | null {
  for (const [field, problem] of Object.entries(IDENTITY) as [keyof RunIdentity, string][]) {
    const [was, is] = [before[field] ?? null, now[field] ?? null];
    if (was !== null && is !== null && was !== is) return { problem, was: brief(was), is: brief(is) };
  }
  return null;
}

/** Throws a CampaignError that names the first difference. */
export function requireSameRequest(directory: string, before: RunRequest, now: RunRequest): void {
  for (const field of Object.keys(now) as (keyof RunRequest)[]) {
    const [was, is] = [before[field], now[field]].map((value) => JSON.stringify(value ?? null));
    if (was === is) continue;
    throw new CampaignError({
      problem: `the run in ${directory} was started with other options: ${field} was ${was}, and is ${is}`,
      remedy: 'Give the same again, or another directory.',
    });
  }
}

function brief(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

/** Over each part and a line's end. A list, and not arguments: a run may have more trials than a call has room for. */
export function sha256(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part}\n`);
  return hash.digest('hex');
}
