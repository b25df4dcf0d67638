import type { Bench, TrialAbout } from '../campaign-run/bench.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Plan } from '../plan/plan.ts';
import type { Paint } from '../report/paint.ts';
import { pinned } from '../search/pin.ts';
import { UsageError } from './exit-code.ts';
import { isReproduced } from './replay-summary.ts';

/** What became of a live trial's kills at the operations at which they landed. */
export interface Pin {
  plan: Plan;
  /** So many plans were run under sim to find it. */
  tried: number;
  /** Whether it ends as the live trial did. If not, it is the likeliest of those that were tried. */
  reproduced: boolean;
}

/** Throws a UsageError when the record does not tell at which operations its kills landed. */
export function requirePinnable(before: TrialRecord | null): TrialRecord {
  if (before === null) throw new UsageError('--pin is for the record of a live trial: give it with --record FILE[:ID].');
  if (before.driver !== 'live')
    throw new UsageError(`${before.id} was run under sim: its plan is as exact as can be, replay it without --pin.`);
  if (before.numbering !== 'operations')
    throw new UsageError(
      `${before.id} was run without a probe, and nobody knows at which operations its kills landed: run it with --driver live --probe.`,
    );
  return before;
}

export async function pin(bench: Bench, about: TrialAbout, before: TrialRecord): Promise<Pin> {
  const plans = pinned(before);
  for (const [index, plan] of plans.entries()) {
    const { record } = await bench.run(about, plan);
    if (isReproduced(record, before)) return { plan, tried: index + 1, reproduced: true };
  }
  return { plan: plans[0] as Plan, tried: plans.length, reproduced: false };
}

export function pinText({ tried, reproduced }: Pin, replay: string, paint: Paint): string {
  const how = reproduced
    ? `pinned: under sim it ends as it did under live (plans tried: ${tried})`
    : `not reproduced: none of the ${tried} plans with its kills at those operations ends under sim as it did under live; this is the likeliest`;
  return `${paint(reproduced ? 'green' : 'yellow', how)}\n  ${paint('dim', 'replay')}  ${replay}`;
}
