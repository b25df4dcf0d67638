import { createHash } from 'node:crypto';
import type { DriverName } from '../campaign/campaign.ts';
import { expandTrials, subjectsOf } from '../campaign/expand.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { printSeeds } from '../campaign/seeds.ts';
import { withBench } from '../campaign-run/bench.ts';
import { IncomparableError } from '../compare/pair.ts';
import { printPlan } from '../plan/print.ts';
import type { Baseline } from './baseline.ts';

/** The trials of the kernels as they are, before they are run: what a baseline has to fit. */
export interface DrawnPlans {
  campaign: string;
  driver: DriverName;
  /** As `--seeds` takes them. */
  seeds: string;
  scenarios: string[];
  /** SHA-256 over the plans, in order of scenario and seed. */
  digest: string;
}

/** Draws every plan of a gate. It takes one golden run, and spares a run that nothing could be compared with. */
export function drawPlans(campaign: LoadedCampaign, driver: DriverName, seeds: number[]): Promise<DrawnPlans> {
  const declared = campaign.campaign;
  const scenarios = declared.scenarios.filter(({ drivers }) => drivers?.includes(driver) ?? true);
  const keys = expandTrials(declared, { seeds, scenarios, subjects: subjectsOf(declared), variants: [] });
  return withBench({ campaign, driver, variants: [] }, async (bench) => {
    const plans = new Map(
      keys.map(({ scenario, seed, subject }) => {
        const about = { scenario: scenario.name, seed, subject: subject.name, variant: null };
        return [`${scenario.name}/${seed}`, printPlan(bench.planOf(about))];
      }),
    );
    const lines = [...plans].map(([trial, plan]) => `${trial} ${plan}\n`).toSorted();
    return {
      campaign: declared.name,
      driver,
      seeds: printSeeds(seeds),
      scenarios: [...new Set(keys.map(({ scenario }) => scenario.name))].toSorted(),
      digest: createHash('sha256').update(lines.join('')).digest('hex'),
    };
  });
}

/** Throws an IncomparableError that says in what a baseline is of other plans. */
export function requireSamePlans(file: string, baseline: Baseline, drawn: DrawnPlans): void {
  const scenarios = [...new Set(baseline.subjects.flatMap((subject) => subject.scenarios.map(({ name }) => name)))].toSorted();
  const differences: [field: string, was: string, is: string][] = [
    ['campaign', baseline.campaign, drawn.campaign],
    ['driver', baseline.driver, drawn.driver],
    ['seeds', baseline.seeds, drawn.seeds],
    ['scenarios', scenarios.join(', '), drawn.scenarios.join(', ')],
    ['digest of plans', baseline.plans, drawn.digest],
  ];
  const different = differences.find(([, was, is]) => was !== is);
  if (!different) return;
  const [field, was, is] = different;
  const why =
    field === 'digest of plans'
      ? `${file} was made from other plans: the same seeds draw others now, because the kernel does other things when nothing happens to it, or because a scenario, a time or crash-campaign has changed (${was.slice(0, 12)} then, ${is.slice(0, 12)} now)`
      : `${file} was made from other plans: its ${field} ${field.endsWith('s') ? 'are' : 'is'} ${was}, and now ${is}`;
  throw new IncomparableError(
    why,
    'Compare with --against <git-ref>, which gives both versions the same plans, or write it anew with --update.',
  );
}
