import { type Bench, withBench } from '../../src/campaign-run/bench.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import type { HuntAnswer, LiveAnswer } from './answers.ts';
import type { Exhibit } from './cases.ts';
import { bugIn } from './search.ts';

/** Confirms on the real clock what was found under sim. Null where there is nothing to confirm, or no way to; or it was interrupted. */
export async function confirmLive({ about, campaign }: Exhibit, hunts: HuntAnswer[], signal: AbortSignal): Promise<LiveAnswer | null> {
  const asked = askedOf(about, hunts);
  if (asked.length === 0) return null;
  return withBench({ campaign, driver: 'live', variants: [] }, async (bench) => {
    const shown = await rateOf(bench, about, about.broken, asked, signal);
    const fixed = about.fixed === null ? null : await rateOf(bench, about, about.fixed, asked, signal);
    if (signal.aborted) return null;
    const { plan, ...broken } = shown;
    return { answer: 'live', case: about.name, plan, broken, fixed: fixed && { shown: fixed.shown, of: fixed.of, void: fixed.void } };
  });
}

interface Asked {
  scenario: string;
  seed: number;
  /** The first of them that can be placed there; none: what the seed draws for the live driver. */
  plans: string[];
}

/** The plans as they were caught, one of each base seed: one that was made as small as it goes leaves a real process no time to start in. */
function askedOf({ live }: Exhibit['about'], hunts: HuntAnswer[]): Asked[] {
  if (live.by === 'none') return [];
  if (live.by === 'rate') return Array.from({ length: live.trials }, (_, i) => ({ scenario: live.scenario, seed: i + 1, plans: [] }));
  return hunts.flatMap(({ driver, caught, named }) =>
    driver === 'sim' && caught ? { ...caught, plans: [...(named ? [named] : []), caught.plan] } : [],
  );
}

async function rateOf(bench: Bench, about: Exhibit['about'], subject: string, asked: Asked[], signal: AbortSignal) {
  const rate = { shown: 0, of: 0, void: 0, plan: null as string | null };
  for (const { scenario, seed, plans } of asked) {
    if (signal.aborted) break;
    const trial = { subject, variant: null, scenario, seed };
    const [first = bench.planOf(trial), ...others] = plans.map((plan) => parsePlan(plan));
    let { record } = await bench.run(trial, first);
    // Where names of files are made of the time, only numbers lead there.
    for (const plan of others) if (record.verdict === 'void' && !signal.aborted) ({ record } = await bench.run(trial, plan));
    rate.of += 1;
    if (record.verdict === 'void') rate.void += 1;
    if (!bugIn(record, about)) continue;
    rate.shown += 1;
    rate.plan ??= record.plan;
  }
  return rate;
}
