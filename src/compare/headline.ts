import { stream } from '../random/stream.ts';
import { normalQuantile } from '../stats/normal.ts';
import { restrictedMean } from '../stats/restricted-mean.ts';
import { type Shift, shiftFunction } from '../stats/shift-function.ts';
import { signFlipTest } from '../stats/sign-flip.ts';
import { meanInterval } from '../stats/student.ts';
import { type Decision, decide, type Margin, toleratedMs } from './margin.ts';
import { mechanismOf } from './mechanism.ts';
import type { Outcome } from './outcome.ts';
import type { Pair } from './pair.ts';

/** Up to so many pairs resampling is cheap; beyond, fewer resamples have to do. */
const FEW = 2000;

/** The restricted mean recovery time: what a kill costs on average, never counting more than the horizon. */
export interface RestrictedMeans {
  /** Up to here recovery is waited for, on both sides. */
  horizon: number;
  /** `mean`: both sides were watched as long, so that it is the mean of min(time, horizon). `kaplan-meier`: they were not. */
  method: 'mean' | 'kaplan-meier';
  n: number;
  baseline: number;
  contender: number;
  difference: number;
  lower: number | null;
  upper: number | null;
  /** What the margin tolerates. */
  tolerated: number;
  /** Of the sign-flip test. Null with Kaplan–Meier: sides that were watched differently can't be swapped. */
  p: number | null;
  resamples: number;
  decision: Decision;
}

export interface Horizon {
  horizonMs: number;
  /** Whether both sides were watched up to the same deadline. */
  isCommon: boolean;
}

/** The smaller of the two deadlines. Where records don't tell their deadlines, the longest time that was seen. */
export function horizonOf(pairs: Pair[]): Horizon {
  const deadline = (side: 'baseline' | 'contender') =>
    pairs.reduce<number | null>((max, { [side]: { deadlineMs } }) => (deadlineMs === null ? max : Math.max(max ?? 0, deadlineMs)), null);
  const [before, after] = [deadline('baseline'), deadline('contender')];
  if (before !== null && after !== null) return { horizonMs: Math.min(before, after), isCommon: before === after };
  const longest = pairs
    .flatMap(({ baseline, contender }) => [baseline, contender])
    .reduce((max, { recoveryMs, censoredMs }) => Math.max(max, recoveryMs ?? 0, censoredMs ?? 0), 0);
  return { horizonMs: longest, isCommon: true };
}

export function restrictedMeans(
  pairs: Pair[],
  { horizonMs, isCommon }: Horizon,
  { campaign, margin, confidence }: { campaign: string; margin: Margin; confidence: number },
): RestrictedMeans {
  const means = isCommon ? pairedMeans(pairs, horizonMs, campaign, confidence) : kaplanMeierMeans(pairs, horizonMs, confidence);
  const tolerated = toleratedMs(margin, means.baseline);
  return { horizon: horizonMs, n: pairs.length, ...means, tolerated, decision: decide(means, tolerated) };
}

/** A trial that was given up before it recovered counts with all of the horizon: nothing more was to come. */
function pairedMeans(pairs: Pair[], horizonMs: number, campaign: string, confidence: number) {
  const time = ({ recoveryMs }: Outcome) => Math.min(recoveryMs ?? horizonMs, horizonMs);
  const differences = pairs.map(({ baseline, contender }) => time(contender) - time(baseline));
  const baseline = pairs.reduce((sum, pair) => sum + time(pair.baseline), 0) / pairs.length;
  const { estimate: difference, lower, upper } = meanInterval(differences, confidence);
  const resamples = pairs.length <= FEW ? 9999 : 999;
  const p = signFlipTest(differences, resamples, stream('compare', 'sign-flip', campaign).next);
  return { method: 'mean', baseline, contender: baseline + difference, difference, lower, upper, p, resamples } as const;
}

/** The pairing is not used: the interval is the one of two samples that have nothing to do with each other, and rather too wide. */
function kaplanMeierMeans(pairs: Pair[], horizonMs: number, confidence: number) {
  const sample = (side: 'baseline' | 'contender') =>
    pairs.map(({ [side]: { recoveryMs, censoredMs } }) =>
      recoveryMs === null ? { time: censoredMs ?? 0, observed: false } : { time: recoveryMs, observed: true },
    );
  const [before, after] = [restrictedMean(sample('baseline'), horizonMs), restrictedMean(sample('contender'), horizonMs)];
  const difference = after.mean - before.mean;
  const error = normalQuantile((1 + confidence) / 2) * Math.hypot(before.error, after.error);
  const interval = { lower: difference - error, upper: difference + error };
  return { method: 'kaplan-meier', baseline: before.mean, contender: after.mean, difference, ...interval, p: null, resamples: 0 } as const;
}

const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** How far each decile of the recovery times moved. What never recovered is infinite. */
export function shiftsOf(pairs: Pair[], horizonMs: number, { campaign, confidence }: { campaign: string; confidence: number }): Shift[] {
  const time = (outcome: Outcome) => (mechanismOf(outcome, horizonMs) === 'never' ? Infinity : (outcome.recoveryMs as number));
  const samples = { baseline: pairs.map(({ baseline }) => time(baseline)), contender: pairs.map(({ contender }) => time(contender)) };
  const resamples = pairs.length <= FEW ? 1999 : 199;
  return shiftFunction(samples, DECILES, confidence, { resamples, next: stream('compare', 'bootstrap', campaign).next });
}
