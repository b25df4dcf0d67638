import type { Outcome } from './outcome.ts';
import type { ComparedRun } from './read-run.ts';

/** One of the two that are compared. */
export interface Side {
  run: ComparedRun;
  subject: string;
  outcomes: Outcome[];
}

/** The same plan on both sides. */
export interface Pair {
  baseline: Outcome;
  contender: Outcome;
}

/** Two runs that have nothing to say about each other. */
export class IncomparableError extends Error {
  constructor(why: string, remedy: string) {
    super(`these runs can't be compared: ${why}. ${remedy}`);
    this.name = 'IncomparableError';
  }
}

const SAME_PLANS = 'Let `compare <campaign> --subject A --subject B` run both with the same plans.';

/**
 * Pairs two sides by scenario and seed; trials that only one of them has are left out, and the attrition counts them.
 * Throws an IncomparableError when the sides are of different campaigns or drivers, when a pair has different plans, or when no trial has a partner.
 */
export function pairUp(baseline: Side, contender: Side): Pair[] {
  const [a, b] = [baseline.run, contender.run];
  if (a.campaign !== b.campaign)
    throw new IncomparableError(`one is of campaign ${a.campaign}, the other of ${b.campaign}`, 'Compare runs of one campaign.');
  if (a.driver !== b.driver)
    throw new IncomparableError(`one ran under ${a.driver}, the other under ${b.driver}`, 'Run both under the same driver.');
  const partners = new Map(contender.outcomes.map((outcome) => [keyOf(outcome), outcome]));
  const pairs = baseline.outcomes.flatMap((outcome) => {
    const partner = partners.get(keyOf(outcome));
    return partner ? [{ baseline: outcome, contender: partner }] : [];
  });
  const different = pairs.filter((pair) => pair.baseline.plan !== pair.contender.plan);
  const [first] = different;
  if (first)
    throw new IncomparableError(
      `${different.length} of ${pairs.length} trials have different plans, the first ${keyOf(first.baseline)}: ` +
        `"${first.baseline.plan}" against "${first.contender.plan}"`,
      `Plans are drawn from a golden run, and those two differed. ${SAME_PLANS}`,
    );
  if (pairs.length === 0 && baseline.outcomes.length > 0 && contender.outcomes.length > 0)
    throw new IncomparableError('they have no scenario and seed in common', SAME_PLANS);
  return pairs;
}

export function keyOf({ scenario, seed }: Pick<Outcome, 'scenario' | 'seed'>): string {
  return `${scenario}/${seed}`;
}
