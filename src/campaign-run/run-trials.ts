import type { Campaign, Subject } from '../campaign/campaign.ts';
import { expandControls, expandTrials, type Selection, subjectsOf, type TrialKey, trialKey } from '../campaign/expand.ts';
import { SEED_MAX } from '../campaign/seeds.ts';
import type { Shard } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import { sha256 } from './request.ts';
import { type Durations, deal } from './shard.ts';

/** The trials of a run, golden runs apart. */
export interface RunTrials {
  /** Of the kernels as they are: all scenarios of a seed before the next seed. There may be no end to them. */
  kernels(): Iterable<TrialKey>;
  undisturbed: TrialKey[];
  controls: TrialKey[];
  /** How many the first two have. Null: nobody knows. */
  kernelTrials: number | null;
  /** Of the whole run, all shards included. */
  whole: { trials: number | null; digest: string };
}

/** What of a campaign is run. `freshSeeds`: so many seeds behind those given, which are for the controls alone. */
export function trialsOf(
  campaign: Campaign,
  selection: Selection,
  {
    controls,
    freshSeeds,
    shard,
  }: { controls: boolean; freshSeeds?: number | undefined; shard?: (Shard & { durations: Durations }) | undefined },
): RunTrials {
  const [reference] = subjectsOf(campaign) as [Subject];
  const undisturbed = controls ? selection.seeds.map((seed) => trialKey(campaign, noFaults, reference, null, seed)) : [];
  const tried = expandControls(campaign, selection);
  if (freshSeeds !== undefined) {
    const kernels = () => bySeed(campaign, selection, fresh(selection.seeds, freshSeeds));
    const parts = { kernels, undisturbed, controls: tried, kernelTrials: null };
    return { ...parts, whole: { trials: null, digest: sha256(idsOf([undisturbed, tried])) } };
  }
  const kernels = () => bySeed(campaign, selection, selection.seeds);
  const ids = idsOf([kernels(), undisturbed, tried]);
  if (!shard)
    return {
      kernels,
      undisturbed,
      controls: tried,
      kernelTrials: ids.length - undisturbed.length - tried.length,
      whole: { trials: ids.length, digest: sha256(ids.toSorted()) },
    };
  const shards = deal(ids, shard.of, shard.durations);
  const isMine = ({ id }: TrialKey) => shards.get(id) === shard.index;
  const mine = function* () {
    for (const key of kernels()) if (isMine(key)) yield key;
  };
  return {
    kernels: mine,
    undisturbed: undisturbed.filter(isMine),
    controls: tried.filter(isMine),
    kernelTrials: [...mine()].length,
    whole: { trials: ids.length, digest: sha256(ids.toSorted().map((id) => `${id} ${shards.get(id)}`)) },
  };
}

function idsOf(parts: Iterable<TrialKey>[]): string[] {
  return parts.flatMap((part) => Array.from(part, ({ id }) => id));
}

function* bySeed(campaign: Campaign, selection: Selection, seeds: Iterable<number>): Generator<TrialKey> {
  let before = 0;
  for (const seed of seeds) {
    const scenarios = selection.scenarios.filter(({ trials = Infinity }) => before < trials);
    yield* expandTrials(campaign, { ...selection, scenarios, seeds: [seed] });
    before += 1;
  }
}

/** Seeds that come behind all of these. */
function* fresh(seeds: number[], count: number): Generator<number> {
  const first = seeds.reduce((a, b) => Math.max(a, b)) + 1;
  for (let seed = first; seed < first + count && seed <= SEED_MAX; seed += 1) yield seed;
}
