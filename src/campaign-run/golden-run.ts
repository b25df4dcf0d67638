import type { Campaign, Subject } from '../campaign/campaign.ts';
import { CampaignError } from '../campaign/campaign-error.ts';
import { lockOf, subjectsOf, type TrialKey, trialKey } from '../campaign/expand.ts';
import type { TrialRecord } from '../history/record.ts';
import { drawPlan } from '../plan/draw.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { Plan, Window } from '../plan/plan.ts';
import type { Golden } from '../plan/scenario.ts';
import { measureGolden } from './measure-golden.ts';
import { pool } from './pool.ts';
import { type JudgedTrial, runAndJudge, type Setup } from './run-trial.ts';

export const NO_FAULTS: Plan = { cast: [{}], faults: [] };

/** Every golden run is made with this seed, so that the plans of a trial do not depend on which others are run with it. */
const GOLDEN_SEED = 0;

export function isGoldenRun({ scenario, variant, seed }: TrialRecord): boolean {
  return scenario === noFaults.name && variant === null && seed === GOLDEN_SEED;
}

/** Runs the kernel of a subject without any fault. */
export function runGolden(setup: Setup, subject: Subject): Promise<JudgedTrial> {
  return runAndJudge(setup, trialKey(setup.campaign, noFaults, subject, null, GOLDEN_SEED), NO_FAULTS, null);
}

/** The golden runs of several subjects, in their order: at most `workers` at once, because on the real clock they take seconds. */
export async function runGoldens(setup: Setup, subjects: Subject[], workers: number): Promise<JudgedTrial[]> {
  const trials: JudgedTrial[] = [];
  await pool(subjects.entries(), workers, async ([i, subject]) => {
    trials[i] = await runGolden(setup, subject);
  });
  return trials;
}

/** Whether trials may build on a golden run: it held every invariant, and something was seen to happen in it. */
export function isGolden({ record }: JudgedTrial): boolean {
  return record.verdict === 'held' && record.events > 0;
}

/** Under the real clock so many fault-free runs are measured. */
const LIVE_MEASURES = 3;

/**
 * What the golden run of the reference subject measured: what the plans of all subjects are drawn from. On the real clock one run says little, and the first,
 * which compiles the kernel, is the slowest of all: the shortest times of several are taken, since a place that lies beyond a window's end is never reached.
 */
export async function measureOf(setup: Setup, { history }: JudgedTrial): Promise<Golden> {
  const lock = lockOf(setup.campaign, referenceOf(setup).name);
  const measured = [measureGolden(history, lock)];
  while (setup.driver === 'live' && measured.length < LIVE_MEASURES) {
    const again = await runGolden(setup, referenceOf(setup));
    measured.push(measureGolden(again.history, lock));
  }
  const [first] = measured as [Golden];
  const shortest = (of: (golden: Golden) => number) => Math.min(...measured.map(of));
  const windows = Object.keys(first.windows_ms) as Window[];
  return {
    ...first,
    duration_ms: shortest(({ duration_ms }) => duration_ms),
    windows_ms: Object.fromEntries(windows.map((window) => [window, shortest(({ windows_ms }) => windows_ms[window] ?? Infinity)])),
  };
}

export function referenceOf({ campaign }: Setup): Subject {
  return subjectsOf(campaign)[0] as Subject;
}

/** The plan of a trial, as its seed draws it. Throws a CampaignError when the scenario draws none. */
export function planOf(campaign: Campaign, { scenario, seed }: Pick<TrialKey, 'scenario' | 'seed'>, golden: Golden): Plan {
  if (scenario === noFaults) return NO_FAULTS;
  try {
    return drawPlan({ campaign: campaign.name, scenario, seed, golden });
  } catch (cause) {
    const problem = `scenario ${scenario.name} has no plan for seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}`;
    const remedy =
      'Look at what the kernel does without faults (replay --scenario no-faults --timeline), whether the lock adapter sees it, and what the draw() of the scenario makes of it; or leave the scenario out.';
    throw new CampaignError({ problem: problem.replace(/\.$/, ''), remedy }, { cause });
  }
}
