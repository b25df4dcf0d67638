import fc from 'fast-check';
import { z } from 'zod';
import { stream } from '../random/stream.ts';
import type { Plan } from './plan.ts';
import type { Golden, Scenario } from './scenario.ts';
import { planSchema } from './schema.ts';

/** Of a trial's plan. */
export interface Draw {
  /** Name of the campaign. */
  campaign: string;
  scenario: Scenario;
  seed: number;
  golden: Golden;
}

/**
 * The plan that a seed draws from a scenario: a pure function of its arguments, the same on every machine.
 * @throws When the scenario can't be drawn from that golden run, or draws what is no plan.
 */
export function drawPlan({ campaign, scenario, seed, golden }: Draw): Plan {
  const fcSeed = stream('plan', campaign, scenario.name, seed).int(-0x8000_0000, 0x7fff_ffff);
  // Without the bias every operation is as likely as any other; with it, the first and the last few would take half of the trials.
  const [drawn] = fc.sample(scenario.draw(golden), {
    seed: fcSeed,
    numRuns: 1,
    unbiased: true,
    randomType: 'xorshift128plus',
  });
  const plan = planSchema.safeParse(drawn);
  if (!plan.success) throw new Error(`scenario ${scenario.name} drew no valid plan from seed ${seed}:\n${z.prettifyError(plan.error)}`);
  return plan.data;
}
