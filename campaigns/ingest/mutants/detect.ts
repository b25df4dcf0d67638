import type { LoadedCampaign } from '../../../src/campaign/load.ts';
import type { Bench } from '../../../src/campaign-run/bench.ts';
import type { TrialRecord } from '../../../src/history/record.ts';
import { stream } from '../../../src/random/stream.ts';
import { explore } from '../../../src/search/explorer.ts';
import type { Cell, Strategy } from './cell.ts';

/** What is asked. */
export interface Question {
  mutant: string | null;
  strategy: Strategy;
  seed: number;
  /** So many trials at most. */
  most: number;
}

/** The schedules that are sampled have so many changes, and the sessions of this scenario. */
export const PCT = { scenario: 'contend', depth: 3 };

const crashOf = { explore: 'kill', 'explore-power-cut': 'power-cut' } as const;

/** Runs trials until one breaks an invariant. The kernel as it is must break none, so whatever breaks, the mutant is what broke it. */
export async function detect(question: Question, bench: Bench, campaign: LoadedCampaign): Promise<Cell> {
  const { most, ...asked } = question;
  const { strategy } = question;
  const records = strategy === 'random' ? await randomly(question, bench, campaign) : await searching({ ...question, strategy }, campaign);
  const last = records.at(-1);
  const broke = [...new Set(last?.violations.map(({ invariant }) => invariant))];
  return {
    ...asked,
    trials: records.length,
    void: records.filter(({ verdict }) => verdict === 'void').length,
    broke,
    ...(last && broke.length > 0 ? { scenario: last.scenario, plan: last.plan } : { scenario: null, plan: null }),
  };
}

/** Plans as their scenarios draw them; each scenario has its turn in every round, in an order that is drawn. */
async function randomly({ mutant, seed, most }: Question, { planOf, run }: Bench, { campaign }: LoadedCampaign): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  const subject = campaign.name;
  for (let round = 0; ; round++) {
    const { next } = stream('detection', seed, round);
    const scenarios = campaign.scenarios.map(({ name }) => ({ name, turn: next() })).toSorted((a, b) => a.turn - b.turn);
    for (const { name: scenario } of scenarios) {
      if (records.length === most) return records;
      const about = { subject, variant: mutant, scenario, seed: seed * 10_000 + round };
      const { record } = await run(about, planOf(about));
      records.push(record);
      if (record.verdict === 'broken') return records;
    }
  }
}

/** Crashes at every operation, in their order (a sample of them where there are more), or sampled schedules. */
async function searching(
  { mutant, strategy, seed, most }: Question & { strategy: Exclude<Strategy, 'random'> },
  campaign: LoadedCampaign,
): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  const stop = new AbortController();
  const search =
    strategy === 'pct'
      ? ({ search: 'pct', crash: 'kill', ...PCT } as const)
      : ({ search: 'crashes', crash: crashOf[strategy], scenario: null, depth: 1 } as const);
  const { findings } = await explore({
    campaign,
    target: campaign.file,
    ...search,
    subject: campaign.campaign.name,
    variant: mutant,
    seed,
    budget: most,
    workers: 1,
    signal: stop.signal,
    onTrial({ record }) {
      records.push(record);
      if (record.verdict === 'broken') stop.abort();
    },
  });
  const undisturbed = findings[0];
  if (records.length > 0 || !undisturbed) return records;
  // The run that was to be disturbed broke something by itself.
  const { invariant, message, plan, scenario } = undisturbed;
  return [{ verdict: 'broken', violations: [{ invariant, message }], plan, scenario } as TrialRecord];
}
