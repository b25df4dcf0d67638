import { type Bench, withBench } from '../../src/campaign-run/bench.ts';
import type { JudgedTrial } from '../../src/campaign-run/run-trial.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { printPlan } from '../../src/plan/print.ts';
import { atSites } from '../../src/search/at-sites.ts';
import { shrink } from '../../src/search/shrink.ts';
import type { Broken, HuntAnswer } from './answers.ts';
import type { Exhibit } from './cases.ts';
import { brokenBy, bugIn, driverOf, isBug, searchIn, strategyOf } from './search.ts';

const MOST = 100;
const SHRINK_BUDGET = 200;

/** Looks for the bug in the broken subject, from one base seed, until the first catch, which is made as small as it goes. Null: it was interrupted, so that few trials are no answer. */
export async function hunt({ about, campaign }: Exhibit, seed: number, signal: AbortSignal): Promise<HuntAnswer | null> {
  const began_ms = performance.now();
  let [trials, voids] = [0, 0];
  let caught = null as { record: TrialRecord; broken: Broken; at_ms: number } | null;
  let [search] = about.searches;
  for (search of about.searches) {
    const found = new AbortController();
    const options = { search, seed, most: search.most ?? MOST, signal: AbortSignal.any([signal, found.signal]) };
    await searchIn(campaign, about.broken, options, (record) => {
      if (caught) return;
      trials += 1;
      if (record.verdict === 'void') voids += 1;
      const violation = bugIn(record, about);
      if (!violation) return;
      caught = { record, broken: brokenBy(record, violation), at_ms: performance.now() };
      found.abort();
    });
    if (caught || signal.aborted) break;
  }
  if (!caught && signal.aborted) return null;
  const driver = driverOf(search);
  return {
    answer: 'hunt',
    case: about.name,
    seed,
    strategy: strategyOf(search),
    driver,
    trials,
    void: voids,
    seconds: Math.round(((caught?.at_ms ?? performance.now()) - began_ms) / 100) / 10,
    caught: caught?.broken ?? null,
    ...(caught && driver === 'sim' ? await madeSmall({ about, campaign }, caught.record, signal) : { named: null, shrunk: null }),
  };
}

function madeSmall({ about, campaign }: Exhibit, record: TrialRecord, signal: AbortSignal): Promise<Pick<HuntAnswer, 'named' | 'shrunk'>> {
  return withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    const found = await shrink(bench, record, parsePlan(record.plan), {
      isMeant: (violation) => isBug(record, violation, about),
      budget: SHRINK_BUDGET,
      repetitions: 1,
      workers: 1,
      signal,
    });
    const named = await byName(bench, record);
    return {
      named: named && bugIn(named.record, about) ? named.record.plan : null,
      shrunk: found && { plan: found.after.plan, steps: found.after.steps, tried: found.tried, minimal: found.minimal },
    };
  });
}

/** The trial again, with every operation of its plan that it came to given by what it is. */
async function byName(bench: Bench, record: TrialRecord): Promise<JudgedTrial | null> {
  let plan = parsePlan(record.plan);
  const { history } = await bench.run(record, plan);
  for (let next = atSites(plan, history)[0]; next; next = atSites(plan, history)[0]) plan = next;
  return printPlan(plan) === record.plan ? null : bench.run(record, plan);
}
