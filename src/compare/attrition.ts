import { VOID_SHARE_MAX } from '../judge/doubts.ts';
import { pairedDifference } from '../stats/mcnemar.ts';
import type { Outcome } from './outcome.ts';
import { keyOf, type Pair, type Side } from './pair.ts';

/** How many trials of a side are left at each stage on the way from a plan to a recovery time. */
export interface Attrition {
  /** What either side ran: what one side lacks, it lost. */
  planned: number;
  ran: number;
  landed: number;
  landedWhileHeld: number;
  /** Not void. */
  judged: number;
  /** Judged, with a kill to recover from. */
  killed: number;
  /** Of those: measured on a machine that was too busy for their times. */
  loaded: number;
  /** Of those: nobody was seen to recover. */
  censored: number;
  /** Ended by somebody outside, e.g. for want of memory. */
  harnessErrors: number;
}

export function attritionOf({ outcomes }: Side, planned: number): Attrition {
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
  return {
    planned,
    ran: outcomes.length,
    landed: count(({ landed }) => landed),
    landedWhileHeld: count(({ landedWhileHeld }) => landedWhileHeld),
    judged: count(isJudged),
    killed: count(wasKilled),
    loaded: count((outcome) => wasKilled(outcome) && outcome.isLoaded),
    censored: count((outcome) => wasKilled(outcome) && outcome.recoveryMs === null),
    harnessErrors: count(({ isDisturbed }) => isDisturbed),
  };
}

export function plannedOf(sides: Side[]): number {
  return new Set(sides.flatMap(({ outcomes }) => outcomes.map(keyOf))).size;
}

export function isJudged({ verdict }: Outcome): boolean {
  return verdict !== 'void';
}

export function wasKilled(outcome: Outcome): boolean {
  return isJudged(outcome) && outcome.kills > 0;
}

/** Whether its recovery time is one to compare. */
export function isTimed(outcome: Outcome): boolean {
  return wasKilled(outcome) && !outcome.isLoaded;
}

/** The fewest pairs that give any finite interval: below, not even a median can be told from any other. */
export const PAIRS_MIN = 6;

/** Why what is left can't be compared, each with what to do; empty when it can. */
export function doubtsAboutAttrition(baseline: Attrition, contender: Attrition, pairs: Pair[]): string[] {
  for (const [name, { ran }] of [['baseline', baseline] as const, ['contender', contender] as const])
    if (ran === 0) return [`the ${name} has no trials: give it seeds, and see whether its golden run held`];
  const reasons: string[] = [];
  const { planned } = baseline;
  const bothJudged = pairs.filter((pair) => isJudged(pair.baseline) && isJudged(pair.contender)).length;
  const { lower, upper } = pairedDifference(
    { n: planned, gained: contender.judged - bothJudged, lost: baseline.judged - bothJudged },
    0.95,
  );
  if (lower > 0 || upper < 0)
    reasons.push(
      `the two lost different shares of their trials (of ${planned} the baseline was judged in ${baseline.judged}, the contender in ${contender.judged}): ` +
        'what is left of one is not what is left of the other; see why trials are void or missing, and run again',
    );
  if (planned - bothJudged > planned * VOID_SHARE_MAX)
    reasons.push(
      `only ${bothJudged} of ${planned} planned trials were judged on both sides: see why the others are void or missing, and run again`,
    );
  const killed = pairs.filter((pair) => wasKilled(pair.baseline) && wasKilled(pair.contender));
  if (killed.length < PAIRS_MIN)
    reasons.push(`only ${killed.length} pairs have a kill to recover from, and it takes ${PAIRS_MIN} at least: run more seeds`);
  else reasons.push(...doubtsAboutLoad(killed));
  return reasons;
}

/** A version that burns its processor while it waits looks like a busy machine, and must not get rid of its times that way. */
function doubtsAboutLoad(killed: Pair[]): string[] {
  const count = (is: (pair: Pair) => boolean) => killed.filter(is).length;
  const [before, after] = [count((pair) => pair.baseline.isLoaded), count((pair) => pair.contender.isLoaded)];
  const both = count((pair) => pair.baseline.isLoaded && pair.contender.isLoaded);
  const timed = killed.length - before - after + both;
  const remedy = 'take fewer --workers, or a quieter machine, and run again';
  if (timed < PAIRS_MIN)
    return [
      `only ${timed} of ${killed.length} pairs were measured on a machine that was not too busy, and it takes ${PAIRS_MIN} at least: ${remedy}`,
    ];
  const { lower, upper } = pairedDifference({ n: killed.length, gained: after - both, lost: before - both }, 0.95);
  if (lower <= 0 && upper >= 0) return [];
  return [
    `the machine was too busy in different shares of the two (of ${killed.length} pairs in ${before} for the baseline, in ${after} for the contender): ` +
      `see whether one of them keeps it busy; ${remedy}`,
  ];
}
