import { type Bench, withBench } from '../../src/campaign-run/bench.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import type { HuntAnswer, LiveAnswer } from './answers.ts';
import type { LiveConfirmation } from './case.ts';
import type { Exhibit } from './cases.ts';
import { bugIn } from './search.ts';

/** So often one plan is run on the real clock. */
const REPETITIONS = 5;

/** Confirms on the real clock what was found under sim. Null where there is nothing to confirm, or no way to; or it was interrupted. */
export async function confirmLive({ about, campaign }: Exhibit, hunts: HuntAnswer[], signal: AbortSignal): Promise<LiveAnswer | null> {
  const found = hunts.find(({ driver, caught }) => driver === 'sim' && caught);
  if (!found?.caught || about.live.by === 'none') return null;
  const { live } = about;
  const plan = live.by === 'plan' ? (found.shrunk?.plan ?? found.caught.plan) : null;
  const { scenario, seed } = found.caught;
  return withBench({ campaign, driver: 'live', probe: live.by === 'plan', variants: [] }, async (bench) => {
    const rate = (subject: string) => rateOf(bench, { about, subject, live, plan, scenario, seed }, signal);
    const broken = await rate(about.broken);
    const fixed = about.fixed === null ? null : await rate(about.fixed);
    return signal.aborted ? null : { answer: 'live', case: about.name, plan, broken, fixed };
  });
}

interface Asked {
  about: Exhibit['about'];
  subject: string;
  live: Exclude<LiveConfirmation, { by: 'none' }>;
  plan: string | null;
  scenario: string;
  seed: number;
}

async function rateOf(
  bench: Bench,
  { about, subject, live, plan, scenario, seed }: Asked,
  signal: AbortSignal,
): Promise<LiveAnswer['broken']> {
  const rate = { shown: 0, of: 0, void: 0 };
  for (let i = 0; i < (live.by === 'rate' ? live.trials : REPETITIONS) && !signal.aborted; i++) {
    const trial =
      live.by === 'rate' ? { subject, variant: null, scenario: live.scenario, seed: seed + i } : { subject, variant: null, scenario, seed };
    const { record } = await bench.run(trial, plan === null ? bench.planOf(trial) : parsePlan(plan));
    rate.of += 1;
    if (record.verdict === 'void') rate.void += 1;
    if (bugIn(record, about)) rate.shown += 1;
  }
  return rate;
}
