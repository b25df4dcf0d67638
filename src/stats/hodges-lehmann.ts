import type { Estimate } from './interval.ts';
import { signedRankCut } from './signed-rank.ts';

/**
 * By how much paired samples are shifted against each other: the median of all averages of two differences (Walsh averages), with the distribution-free
 * interval that Wilcoxon's signed-rank test leaves. Of log ratios it is the log of the typical ratio. Ends are null below 6 values at 95 %.
 *
 * The averages are never laid out: those up to a bound are counted in one sweep over the sorted differences, so that 10⁵ pairs take a second.
 * @param differences second − first; not empty
 * @see Hodges and Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34 (1963), 598–611
 */
export function hodgesLehmann(differences: readonly number[], confidence: number): Estimate {
  const sorted = Float64Array.from(differences).sort();
  const n = sorted.length;
  const pairs = (n * (n + 1)) / 2;
  const cut = signedRankCut(n, confidence);
  const middle = walshAverage(sorted, Math.ceil(pairs / 2));
  return {
    estimate: pairs % 2 === 1 ? middle : (middle + walshAverage(sorted, pairs / 2 + 1)) / 2,
    lower: cut === 0 ? null : walshAverage(sorted, cut),
    upper: cut === 0 ? null : walshAverage(sorted, pairs + 1 - cut),
  };
}

/** The k-th smallest average of two, or of one with itself; k counts from 1. */
function walshAverage(sorted: Float64Array, k: number): number {
  let low = sorted[0] as number;
  let high = sorted.at(-1) as number;
  if (upTo(low, sorted).count >= k) return low;
  // At least k lie at or below `high`, and fewer at or below `low`.
  for (let middle = (low + high) / 2, steps = 0; low < middle && middle < high && steps < 100; middle = (low + high) / 2, steps += 1) {
    if (upTo(middle, sorted).count >= k) high = middle;
    else low = middle;
  }
  return upTo(high, sorted).greatest;
}

/** How many averages are not above a bound, and the greatest of them. */
function upTo(bound: number, sorted: Float64Array): { count: number; greatest: number } {
  let count = 0;
  let greatest = Number.NEGATIVE_INFINITY;
  let j = sorted.length - 1;
  for (let i = 0; i <= j; i += 1) {
    const first = sorted[i] as number;
    while (j >= i && (first + (sorted[j] as number)) / 2 > bound) j -= 1;
    if (j < i) break;
    count += j - i + 1;
    greatest = Math.max(greatest, (first + (sorted[j] as number)) / 2);
  }
  return { count, greatest };
}
