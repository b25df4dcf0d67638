import type { TrialRecord } from '../history/record.ts';
import { upperBound } from '../stats/clopper-pearson.ts';
import type { Coverage, RunFacts } from './run-summary.ts';
import { counted } from './summary.ts';

/** What the trials of the kernels as they are have covered. Trials of different scenarios are taken together: the bound is for one drawn as they were. */
export function coverageOf(real: TrialRecord[], { scenarios, cut }: Pick<RunFacts, 'scenarios' | 'cut'>): Coverage {
  const trials = counted(real);
  const seeds = [...new Set(trials.map(({ seed }) => seed))].toSorted((a, b) => a - b);
  const covered = new Set(trials.map(({ scenario }) => scenario)).size;
  return {
    trials: trials.length,
    seeds: { count: seeds.length, first: seeds[0] ?? null, last: seeds.at(-1) ?? null },
    scenarios: { covered, of: scenarios.length },
    cut: cut ?? null,
    failureBound: trials.length === 0 || trials.some(({ verdict }) => verdict === 'broken') ? null : upperBound(0, trials.length, 0.95),
  };
}
