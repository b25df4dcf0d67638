import type { Bench, TrialAbout } from '../campaign-run/bench.ts';
import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import type { Violation } from '../history/record.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import type { Plan } from '../plan/plan.ts';
import { printPlan } from '../plan/print.ts';
import { minimise } from '../plan/shrink.ts';
import { atSites } from './at-sites.ts';

export interface ShrinkOptions {
  /** Which of the trial's violations the smaller plan must still show. Absent: the first, which is the gravest. */
  isMeant?(violation: Violation): boolean;
  /** So many candidates may be run. */
  budget: number;
  /** A trial that does not break each time is run up to so many times before it counts as one that holds. 1 under sim. */
  repetitions: number;
  /** Candidates that are run at once. The result does not depend on it. */
  workers: number;
  /** Aborted: what has been reached is the result. */
  signal?: AbortSignal;
  onCandidate?(tried: number, steps: number): void;
}

/** How often a plan broke the invariant in the same way. */
export interface BreakRate {
  plan: string;
  /** Faults and deviations in it. */
  steps: number;
  broken: number;
  of: number;
}

export interface Shrunk {
  invariant: string;
  fingerprint: string;
  /** The other invariants that the plan broke before it was made smaller. */
  others: string[];
  before: BreakRate;
  after: BreakRate;
  /** How many candidates were run. */
  tried: number;
  /** Nothing simpler that could be tried still breaks: false when the budget ran out first. */
  minimal: boolean;
  /** A trial of the smaller plan, in which it broke. */
  trial: JudgedTrial;
}

/**
 * The simplest plan that is found to break the same invariant with the same fingerprint in the same world, as the seed and the scenario make it.
 * An operation that is given by its number is given by what it is, where that comes to the same: it reads better, and it outlives a change elsewhere in the kernel.
 * Stable under sim: shrinking what was shrunk to its minimum changes nothing.
 *
 * @returns Null when the plan did not break it in any repetition.
 */
export async function shrink(bench: Bench, about: TrialAbout, plan: Plan, options: ShrinkOptions): Promise<Shrunk | null> {
  const drawn = await repeat(bench, about, plan, options.repetitions, options.isMeant ?? (() => true));
  const meant = drawn.example?.record.violations.find(options.isMeant ?? (() => true));
  if (!drawn.example || !meant) return null;
  const fingerprint = fingerprintOf(meant);
  const isSame = (violation: Violation) => fingerprintOf(violation) === fingerprint;

  let tried = 0;
  /** Of every plan that broke, the trial that showed it. */
  const examples = new Map([[printPlan(plan), drawn.example]]);
  async function stillBreaks(candidate: Plan): Promise<boolean> {
    if (options.signal?.aborted) return false;
    tried += 1;
    options.onCandidate?.(tried, candidate.faults.length);
    const example = await untilBroken(bench, about, candidate, options.repetitions, isSame);
    if (example) examples.set(printPlan(candidate), example);
    return example !== null;
  }

  let smallest = plan;
  let minimal = false;
  for (let before = ''; before !== printPlan(smallest); ) {
    before = printPlan(smallest);
    ({ plan: smallest, minimal } = await minimise(smallest, stillBreaks, options.budget - tried, options.workers));
    for (const candidate of atSites(smallest, (examples.get(printPlan(smallest)) as JudgedTrial).history)) {
      if (tried >= options.budget || !(await stillBreaks(candidate))) continue;
      smallest = candidate;
      break;
    }
  }

  const found = examples.get(printPlan(smallest)) as JudgedTrial;
  // Each has broken at least once already; under the real clock that says little of how often it does.
  const [before, after] =
    options.repetitions === 1 ? [once, once] : [drawn, await repeat(bench, about, smallest, options.repetitions, isSame)];
  const rate = (of: Plan, { broken, runs }: { broken: number; runs: number }): BreakRate => ({
    plan: printPlan(of),
    steps: of.faults.length,
    broken,
    of: runs,
  });
  return {
    invariant: meant.invariant,
    fingerprint,
    others: [...new Set(drawn.example.record.violations.map(({ invariant }) => invariant))].filter((other) => other !== meant.invariant),
    before: rate(plan, before),
    after: rate(smallest, after),
    tried,
    minimal: minimal && options.signal?.aborted !== true,
    trial: found,
  };
}

const once = { broken: 1, runs: 1 };

/** The first of up to so many trials in which a violation like this shows. */
async function untilBroken(
  bench: Bench,
  about: TrialAbout,
  plan: Plan,
  repetitions: number,
  isSame: (violation: Violation) => boolean,
): Promise<JudgedTrial | null> {
  for (let n = 0; n < repetitions; n += 1) {
    const trial = await bench.run(about, plan);
    if (trial.record.violations.some(isSame)) return trial;
  }
  return null;
}

/** All repetitions, for a rate. */
async function repeat(bench: Bench, about: TrialAbout, plan: Plan, runs: number, isSame: (violation: Violation) => boolean) {
  let broken = 0;
  let example: JudgedTrial | null = null;
  for (let n = 0; n < runs; n += 1) {
    const trial = await bench.run(about, plan);
    if (!trial.record.violations.some(isSame)) continue;
    broken += 1;
    example ??= trial;
  }
  return { broken, runs, example };
}
