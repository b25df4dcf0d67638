import { withBench } from '../../src/campaign-run/bench.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { shrink } from '../../src/search/shrink.ts';
import type { HuntAnswer } from './answers.ts';
import type { Exhibit } from './cases.ts';
import { brokenBy, bugIn, driverOf, isBug, searchIn, strategyOf } from './search.ts';

const MOST = 100;
const SHRINK_BUDGET = 200;

/** Looks for the bug in the broken subject, from one base seed, until the first catch, which is made as small as it goes. Null: it was interrupted, so that few trials are no answer. */
export async function hunt({ about, campaign }: Exhibit, seed: number, signal: AbortSignal): Promise<HuntAnswer | null> {
  const began_ms = performance.now();
  let [trials, voids, caught_ms] = [0, 0, 0];
  let caught: TrialRecord | null = null;
  let [search] = about.searches;
  for (search of about.searches) {
    const found = new AbortController();
    const options = { search, seed, most: search.most ?? MOST, signal: AbortSignal.any([signal, found.signal]) };
    await searchIn(campaign, about.broken, options, (record) => {
      if (caught) return;
      trials += 1;
      if (record.verdict === 'void') voids += 1;
      if (!bugIn(record, about)) return;
      caught = record;
      caught_ms = performance.now();
      found.abort();
    });
    if (caught || signal.aborted) break;
  }
  if (!caught && signal.aborted) return null;
  const driver = driverOf(search);
  const record = caught as TrialRecord | null;
  return {
    answer: 'hunt',
    case: about.name,
    seed,
    strategy: strategyOf(search),
    driver,
    trials,
    void: voids,
    seconds: Math.round(((caught_ms || performance.now()) - began_ms) / 100) / 10,
    caught: record && brokenBy(record, bugIn(record, about) as NonNullable<ReturnType<typeof bugIn>>),
    shrunk: record && driver === 'sim' ? await shrunk({ about, campaign }, record, signal) : null,
  };
}

function shrunk({ about, campaign }: Exhibit, record: TrialRecord, signal: AbortSignal): Promise<HuntAnswer['shrunk']> {
  return withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    const found = await shrink(bench, record, parsePlan(record.plan), {
      isMeant: (violation) => isBug(record, violation, about),
      budget: SHRINK_BUDGET,
      repetitions: 1,
      workers: 1,
      signal,
    });
    return found && { plan: found.after.plan, steps: found.after.steps, tried: found.tried, minimal: found.minimal };
  });
}
