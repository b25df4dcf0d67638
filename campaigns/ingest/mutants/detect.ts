import type { LoadedCampaign } from '../../../src/campaign/load.ts';
import type { Bench } from '../../../src/campaign-run/bench.ts';
import type { TrialRecord } from '../../../src/history/record.ts';
import { stream } from '../../../src/random/stream.ts';
import { explore } from '../../../src/search/explorer.ts';
import { mutants } from '../mutants.ts';
import type { Cell, Question } from './cell.ts';

/** The schedules that are sampled have so many changes, and the sessions of this scenario. */
export const PCT = { scenario: 'contend', depth: 3 };

const crashOf = { explore: 'kill', 'explore-power-cut': 'power-cut' } as const;

/**
 * Runs trials until one breaks an invariant. The kernel as it is must break none, so whatever breaks, the mutant is what broke it.
 * @returns Null when it was interrupted: so few trials are no answer.
 */
export async function detect(question: Question, bench: Bench, campaign: LoadedCampaign, signal: AbortSignal): Promise<Cell | null> {
  const records = await trialsOf(question, bench, campaign, signal);
  const last = records.at(-1);
  const broke = [...new Set(last?.violations.map(({ invariant }) => invariant))];
  if (signal.aborted && broke.length === 0) return null;
  return {
    ...question,
    trials: records.length,
    void: records.filter(({ verdict }) => verdict === 'void').length,
    broke,
    ...(last && broke.length > 0 ? { scenario: last.scenario, plan: last.plan } : { scenario: null, plan: null }),
  };
}

function trialsOf(question: Question, bench: Bench, campaign: LoadedCampaign, signal: AbortSignal): Promise<TrialRecord[]> {
  const { mutant, strategy } = question;
  switch (strategy) {
    case 'random':
      return drawn(
        question,
        campaign.campaign.scenarios.map(({ name }) => name),
        bench,
        signal,
      );
    case 'scenario':
      return drawn(question, scenariosOf(mutant), bench, signal);
    case 'pct':
      return searched(question, { search: 'pct', crash: 'kill', ...PCT }, campaign, signal);
    case 'explore':
    case 'explore-power-cut':
      return searched(question, { search: 'crashes', crash: crashOf[strategy], scenario: null, depth: 1 }, campaign, signal);
  }
}

/** Those in which a mutant is tried as a negative control. */
function scenariosOf(name: string | null): string[] {
  const mutant = mutants.find((one) => one.name === name);
  return mutant && 'breaks' in mutant && mutant.scenario !== undefined ? [mutant.scenario] : [];
}

/** Plans as their scenarios draw them; each scenario has its turn in every round, in an order that is drawn. */
async function drawn({ mutant, seed, most }: Question, scenarios: string[], { planOf, run }: Bench, signal: AbortSignal) {
  const records: TrialRecord[] = [];
  for (let round = 0; scenarios.length > 0; round++) {
    const { next } = stream('detection', seed, round);
    const turns = scenarios.map((scenario) => ({ scenario, turn: next() })).toSorted((a, b) => a.turn - b.turn);
    for (const { scenario } of turns) {
      if (records.length === most || signal.aborted) return records;
      const about = { subject: SUBJECT, variant: mutant, scenario, seed: seed * 10_000 + round };
      const { record } = await run(about, planOf(about));
      records.push(record);
      if (record.verdict === 'broken') return records;
    }
  }
  return records;
}

const SUBJECT = 'mutants';

/** Crashes at every operation, in their order (a sample of them where there are more), or sampled schedules. */
async function searched(
  { mutant, seed, most }: Question,
  search: Pick<Parameters<typeof explore>[0], 'search' | 'crash' | 'scenario' | 'depth'>,
  campaign: LoadedCampaign,
  signal: AbortSignal,
): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  const caught = new AbortController();
  const { findings } = await explore({
    campaign,
    target: campaign.file,
    ...search,
    subject: SUBJECT,
    variant: mutant,
    seed,
    budget: most,
    workers: 1,
    signal: AbortSignal.any([signal, caught.signal]),
    onTrial({ record }) {
      records.push(record);
      if (record.verdict === 'broken') caught.abort();
    },
  });
  const undisturbed = findings[0];
  if (records.length > 0 || !undisturbed) return records;
  // The run that was to be disturbed broke something by itself.
  const { invariant, message, plan, scenario } = undisturbed;
  return [{ verdict: 'broken', violations: [{ invariant, message }], plan, scenario } as TrialRecord];
}
