import type { DriverName } from '../campaign/campaign.ts';
import type { Shift } from '../stats/shift-function.ts';
import { type Attrition, attritionOf, doubtsAboutAttrition, isJudged, isTimed, plannedOf } from './attrition.ts';
import { type Cost, costsOf } from './cost.ts';
import { horizonOf, type RestrictedMeans, restrictedMeans, shiftsOf } from './headline.ts';
import type { Decision, Margin } from './margin.ts';
import { byMechanism, type MechanismRow } from './mechanism.ts';
import { pairUp, type Side } from './pair.ts';
import { fourQuestions, type Question } from './questions.ts';
import { reasonsOf } from './reasons.ts';
import { type SeedBySeed, seedBySeed } from './seed-by-seed.ts';

const CONFIDENCE = 0.95;

/** DESIGN 4.6, and more. Times in milliseconds of trial time. */
export interface Comparison {
  schema: 'crash-campaign/compare@1';
  campaign: string;
  driver: DriverName;
  baseline: ComparedSide;
  contender: ComparedSide;
  margin: Margin;
  decision: Decision;
  /** What the decision rests on, gravest first. */
  reasons: string[];
  /** What does not touch the decision and should be known all the same. */
  notes: string[];
  attrition: { baseline: Attrition; contender: Attrition };
  /** From here on null, or empty, when the attrition leaves nothing to compare. */
  mechanism: { baseline: MechanismRow[]; contender: MechanismRow[] } | null;
  questions: Question[];
  rmstMs: RestrictedMeans | null;
  /** p10 … p90 of the recovery times. */
  shifts: Shift[];
  seeds: {
    /** Trials of the two that have the same scenario and seed. */
    paired: number;
    /** Of those, judged and killed on both sides, and on a machine that was not too busy: what times are compared of. */
    timed: number;
    /** Null under the real clock, where times don't repeat. */
    exact: SeedBySeed | null;
  };
  cost: Cost[] | null;
}

interface ComparedSide {
  subject: string;
  runDirectory: string;
  /** Trials that broke an invariant. */
  broken: number;
}

/**
 * Compares two sides. Pure, but for the chance of resampling, which comes from a stream of its own. What fell out on the way comes before any statistics.
 * Throws an IncomparableError when they don't have the same plans.
 */
export function compareSides(sides: { baseline: Side; contender: Side }, margin: Margin): Comparison {
  const { baseline, contender } = sides;
  const pairs = pairUp(baseline, contender);
  const planned = plannedOf([baseline, contender]);
  const attrition = { baseline: attritionOf(baseline, planned), contender: attritionOf(contender, planned) };
  const timed = pairs.filter((pair) => isTimed(pair.baseline) && isTimed(pair.contender));
  const common = {
    schema: 'crash-campaign/compare@1',
    campaign: baseline.run.campaign,
    driver: baseline.run.driver,
    baseline: comparedSide(baseline),
    contender: comparedSide(contender),
    margin,
    attrition,
  } as const;
  const doubts = doubtsAboutAttrition(attrition.baseline, attrition.contender, pairs);
  const seeds = { paired: pairs.length, timed: timed.length, exact: null };
  if (doubts.length > 0) {
    const nothing = { mechanism: null, questions: [], rmstMs: null, shifts: [], seeds, cost: null };
    return { ...common, decision: 'inconclusive', reasons: doubts, notes: notesOf(sides), ...nothing };
  }

  const uncontrolled = timed.filter((pair) => pair.baseline.isNondeterministic || pair.contender.isNondeterministic).length;
  const exact = baseline.run.driver === 'sim' && uncontrolled === 0;
  const horizon = horizonOf(timed);
  const { horizonMs } = horizon;
  const questions = fourQuestions({ pairs: timed, horizonMs, margin, exact, confidence: CONFIDENCE });
  const resampling = { campaign: baseline.run.campaign, confidence: CONFIDENCE };
  const rmstMs = restrictedMeans(timed, horizon, { ...resampling, margin });
  const decisions = [rmstMs.decision, ...questions.flatMap(({ decision }) => decision ?? [])];
  const decision = (['regressed', 'inconclusive'] as const).find((grave) => decisions.includes(grave)) ?? 'ok';
  return {
    ...common,
    decision,
    reasons: reasonsOf(decision, questions, rmstMs, margin),
    notes: [...notesOf(sides), ...methodNotes(rmstMs, { exact, uncontrolled })],
    mechanism: { baseline: byMechanism(baseline, horizonMs), contender: byMechanism(contender, horizonMs) },
    questions,
    rmstMs,
    shifts: shiftsOf(timed, horizonMs, resampling),
    seeds: { ...seeds, exact: exact ? seedBySeed(timed, horizonMs, sides) : null },
    cost: costsOf(pairs.filter((pair) => isJudged(pair.baseline) && isJudged(pair.contender))),
  };
}

function comparedSide({ subject, run, outcomes }: Side): ComparedSide {
  return { subject, runDirectory: run.directory, broken: outcomes.filter(({ verdict }) => verdict === 'broken').length };
}

/** What stands beside the decision, whatever it is. */
function notesOf({ baseline, contender }: { baseline: Side; contender: Side }): string[] {
  const [before, after] = [comparedSide(baseline), comparedSide(contender)];
  const notes =
    after.broken > before.broken
      ? [`the contender broke invariants in ${after.broken} trials, the baseline in ${before.broken}: being fast does not excuse it`]
      : [];
  const loaded = baseline.outcomes.concat(contender.outcomes).filter(({ isLoaded }) => isLoaded).length;
  if (loaded > 0)
    notes.push(`${loaded} trials were measured on a machine that was too busy: their pairs are left out of all recovery times`);
  for (const { directory, torn, finished } of [baseline.run, contender.run]) {
    if (torn) notes.push(`the last line of ${directory}/trials.ndjson is torn, as a crash leaves it: it was dropped`);
    if (!finished) notes.push(`the run in ${directory} did not come to its end`);
  }
  return [...new Set(notes)];
}

function methodNotes({ method, horizon }: RestrictedMeans, { exact, uncontrolled }: { exact: boolean; uncontrolled: number }): string[] {
  const notes = [
    exact
      ? 'recovery times are virtual: they carry no noise of a machine, and whoever replays a seed sees the same ones'
      : uncontrolled > 0
        ? `in ${uncontrolled} of the pairs a kernel did what the simulation does not control: times need not repeat, so that seeds are not held against themselves`
        : 'recovery times are of a real clock: another run gives others, and only the intervals say what they have in common',
  ];
  if (method === 'kaplan-meier')
    notes.push(`the sides had different deadlines: means are areas under Kaplan–Meier curves up to the smaller one, ${horizon / 1000} s`);
  return notes;
}
