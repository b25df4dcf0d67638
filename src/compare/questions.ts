import { hodgesLehmann } from '../stats/hodges-lehmann.ts';
import { holm } from '../stats/holm.ts';
import { mcnemarExact, mcnemarMidP, type PairedCounts, pairedDifference } from '../stats/mcnemar.ts';
import { quantile } from '../stats/quantile.ts';
import { signedRankTest } from '../stats/signed-rank.ts';
import { PAIRS_MIN } from './attrition.ts';
import { type Decision, decide, type Margin, toleratedMs } from './margin.ts';
import { type Mechanism, mechanismOf } from './mechanism.ts';
import type { Pair } from './pair.ts';

/** One of four questions, each about one thing that can change by itself. */
export interface Question {
  name: 'left-lock-behind' | 'never-recovered' | 'clean-recovery' | 'left-behind-recovery';
  /** Pairs that it is asked of. */
  n: number;
  /** What `baseline` and `contender` are: shares of the pairs, or medians in milliseconds. */
  of: 'share' | 'ms';
  baseline: number | null;
  contender: number | null;
  /** What `estimate`, `lower` and `upper` are: a difference of shares, a ratio, or a difference in milliseconds. */
  change: 'share' | 'ratio' | 'ms';
  /** Null without pairs. */
  estimate: number | null;
  /** Null where there are too few pairs for a finite end. */
  lower: number | null;
  upper: number | null;
  /** Of a ratio: the same change in milliseconds, which a margin in milliseconds is held against. */
  shiftMs?: { estimate: number | null; lower: number | null; upper: number | null };
  test: 'McNemar mid-p' | 'McNemar exact' | 'signed-rank';
  p: number | null;
  /** Corrected for the number of questions. */
  pHolm: number | null;
  /** Null when it takes no part in the decision. */
  decision: Decision | null;
}

/** Entries of a history are stamped with microseconds: nothing takes less. */
const RESOLUTION_MS = 0.001;

export interface Asked {
  pairs: Pair[];
  horizonMs: number;
  margin: Margin;
  /** Whether times are the same in every repetition, so that one trial that never recovers proves it. */
  exact: boolean;
  confidence: number;
}

/** @param pairs judged on both sides, with a kill on both sides */
export function fourQuestions(asked: Asked): Question[] {
  const questions = [leftLockBehind(asked), neverRecovered(asked), cleanRecovery(asked), leftBehindRecovery(asked)];
  const answered = questions.filter(({ p }) => p !== null);
  const corrected = holm(answered.map(({ p }) => p as number));
  return questions.map((question) => {
    const place = answered.indexOf(question);
    return place < 0 ? question : { ...question, pHolm: corrected[place] as number };
  });
}

/** Whether locks are left behind more often. It is not decided on: leaving one behind costs nothing but time, and the mean recovery time has that. */
function leftLockBehind({ pairs, confidence }: Asked): Question {
  const counts = countPairs(pairs, ({ leftLockBehind }) => leftLockBehind);
  return { ...shares('left-lock-behind', counts, confidence), test: 'McNemar mid-p', p: mcnemarMidP(counts), decision: null };
}

/**
 * No margin tolerates that recovery stops coming. One more such trial is proof where times repeat exactly, because the same plan recovers in the baseline, unless
 * others go the other way; elsewhere the interval has to say so.
 */
function neverRecovered({ pairs, horizonMs, exact, confidence }: Asked): Question {
  const counts = countPairs(pairs, (outcome) => mechanismOf(outcome, horizonMs) === 'never');
  const { gained, lost } = counts;
  const question = shares('never-recovered', counts, confidence);
  const isProven = (exact && lost === 0 && gained > 0) || question.lower > 0;
  const decision = isProven ? 'regressed' : gained <= lost ? 'ok' : 'inconclusive';
  return { ...question, test: 'McNemar exact', p: mcnemarExact(counts), decision };
}

function cleanRecovery(asked: Asked): Question {
  const { margin, confidence } = asked;
  const times = timesOf(asked, 'clean');
  const logRatios = times.pairs.map(([before, after]) => Math.log(Math.max(after, RESOLUTION_MS) / Math.max(before, RESOLUTION_MS)));
  const logRatio = locationOf(logRatios, confidence);
  const shiftMs = locationOf(times.shift, confidence);
  const exp = (value: number | null) => (value === null ? null : Math.exp(value));
  const ratio = { estimate: exp(logRatio.estimate), lower: exp(logRatio.lower), upper: exp(logRatio.upper) };
  const question = { ...times.question('clean-recovery', 'ratio'), ...ratio, shiftMs };
  if (!times.isEnough) return question;
  const decision = 'relative' in margin ? decide(ratio, 1 + margin.relative) : decide(shiftMs, margin.absoluteMs);
  return { ...question, p: signedRankTest(logRatios), decision };
}

function leftBehindRecovery(asked: Asked): Question {
  const times = timesOf(asked, 'left-behind');
  const location = locationOf(times.shift, asked.confidence);
  const question = { ...times.question('left-behind-recovery', 'ms'), ...location };
  if (!times.isEnough) return question;
  return {
    ...question,
    p: signedRankTest(times.shift),
    decision: decide(location, toleratedMs(asked.margin, question.baseline as number)),
  };
}

/** The recovery times of the pairs that went by one mechanism on both sides. Too few of them are shown, and left to the mean recovery time to decide on. */
function timesOf({ pairs, horizonMs }: Asked, mechanism: Mechanism) {
  const same = pairs.filter((pair) => [pair.baseline, pair.contender].every((outcome) => mechanismOf(outcome, horizonMs) === mechanism));
  const times = same.map((pair): [number, number] => [pair.baseline.recoveryMs as number, pair.contender.recoveryMs as number]);
  const median = (side: 0 | 1) =>
    quantile(
      times.map((time) => time[side]).toSorted((a, b) => a - b),
      0.5,
    );
  const question = (name: Question['name'], change: Question['change']): Question => ({
    name,
    n: times.length,
    of: 'ms',
    baseline: median(0),
    contender: median(1),
    change,
    estimate: null,
    lower: null,
    upper: null,
    test: 'signed-rank',
    p: null,
    pHolm: null,
    decision: null,
  });
  return { pairs: times, shift: times.map(([before, after]) => after - before), isEnough: times.length >= PAIRS_MIN, question };
}

function locationOf(differences: number[], confidence: number) {
  return differences.length === 0 ? { estimate: null, lower: null, upper: null } : hodgesLehmann(differences, confidence);
}

function countPairs(pairs: Pair[], is: (outcome: Pair['baseline']) => boolean): PairedCounts & { before: number; after: number } {
  const counts = { n: pairs.length, gained: 0, lost: 0, before: 0, after: 0 };
  for (const { baseline, contender } of pairs) {
    const [before, after] = [is(baseline), is(contender)];
    if (before) counts.before += 1;
    if (after) counts.after += 1;
    if (after && !before) counts.gained += 1;
    if (before && !after) counts.lost += 1;
  }
  return counts;
}

function shares(name: Question['name'], counts: ReturnType<typeof countPairs>, confidence: number) {
  const { n, before, after } = counts;
  const share = { of: 'share', change: 'share', pHolm: null } as const;
  return { name, n, ...share, baseline: before / n, contender: after / n, ...pairedDifference(counts, confidence) };
}
