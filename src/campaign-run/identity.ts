import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Campaign, Subject } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { subjectsOf } from '../campaign/expand.ts';
import type { TrialRecord } from '../history/record.ts';
import { printPlan } from '../plan/print.ts';
import type { Golden, Scenario } from '../plan/scenario.ts';
import { planOf } from './golden-run.ts';
import { type RunIdentity, sha256 } from './request.ts';
import type { Setup } from './run-trial.ts';
import type { RunTrials } from './run-trials.ts';

/** What the records of a run are made with. */
export async function identityOf(setup: Setup, { whole }: Pick<RunTrials, 'whole'>): Promise<RunIdentity> {
  return {
    'crash-campaign': setup.versions['crash-campaign'],
    node: setup.versions.node,
    kernels: await digestOfKernels(setup, subjectsOf(setup.campaign)),
    plans: null,
    trials: whole.digest,
    declared: declaredOf(setup),
  };
}

/** SHA-256 over what a campaign declares that decides what a trial is and how it is judged, beside kernels and plans, which have digests of their own. */
function declaredOf({ campaign, driver, invariants }: Pick<Setup, 'campaign' | 'driver' | 'invariants'>): string {
  const { name, timing, robbed_reason, allowed_reasons, lock, scenarios, subjects } = campaign;
  return sha256([
    JSON.stringify([name, timing[driver], robbed_reason, allowed_reasons ?? []]),
    JSON.stringify(invariants.map((invariant) => invariant.name)),
    JSON.stringify([lock, ...(subjects ?? []).map((subject) => subject.lock)].map((adapter) => adapter?.kind ?? null)),
    JSON.stringify(scenarios.map((scenario) => [scenario.name, scenario.aims ?? null])),
  ]);
}

/** Over the copies of the kernels' sources, the packages of each subject and its environment. */
async function digestOfKernels(setup: Pick<Setup, 'kernel' | 'packages'>, subjects: Subject[]): Promise<string> {
  const parts: string[] = [];
  for (const { name, env } of subjects) {
    parts.push(JSON.stringify([name, env ?? {}, setup.packages(name)]));
    await addTree(setup.kernel(name, null).directory, '', parts);
  }
  return sha256(parts);
}

/** Links are taken as they are: those to `node_modules` lead to what lies beside the campaign. */
async function addTree(root: string, path: string, parts: string[]): Promise<void> {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) await addTree(root, inside, parts);
    else if (entry.isFile()) parts.push(inside, sha256([await readFile(join(root, inside), 'base64')]));
    else if (entry.isSymbolicLink() && entry.name !== 'node_modules') parts.push(inside, await readlink(join(root, inside)));
  }
}

/** So many of a run's seeds stand for what all of them draw. */
const SEEDS_SAMPLED = 8;

/** SHA-256 over the plans that the first seeds draw in each scenario. */
export function plansOf(campaign: Campaign, scenarios: Scenario[], seeds: number[], golden: Golden): string {
  const plans = scenarios.flatMap((scenario) =>
    seeds.slice(0, SEEDS_SAMPLED).map((seed) => printPlan(planOf(campaign, { scenario, seed }, golden))),
  );
  return sha256(plans);
}

/** Under sim a golden run of one and the same kernel has one history. Throws a CampaignError. */
export function requireSameGolden(runDirectory: string, before: TrialRecord, now: TrialRecord): void {
  const isPromised = now.driver === 'sim' && [before, now].every(({ nondeterministic }) => nondeterministic.length === 0);
  if (!isPromised || before.digest === now.digest) return;
  throw new CampaignError({
    problem: `the run in ${runDirectory} can't be gone on with: the golden run of ${now.subject} has another history now`,
    remedy: 'The campaign, or something that its kernel imports, has changed since: start a new run.',
  });
}
