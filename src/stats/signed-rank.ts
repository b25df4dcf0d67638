import { normalCdf, normalQuantile } from './normal.ts';

/** Up to so many values the distribution is computed; beyond, the normal one is as good. */
const EXACT_MAX = 50;

/**
 * Wilcoxon's signed-rank test, two-sided: whether differences lie around 0. Zeros are left out, equal magnitudes share their ranks.
 * Exact for up to 50 different magnitudes, else by the normal distribution. Without any difference: 1.
 */
export function signedRankTest(differences: readonly number[]): number {
  const sorted = differences.filter((difference) => difference !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b));
  const n = sorted.length;
  if (n === 0) return 1;
  let [positive, ties] = [0, 0];
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && Math.abs(sorted[to] as number) === Math.abs(sorted[from] as number)) to += 1;
    // Ranks from + 1 … to, shared.
    const rank = (from + 1 + to) / 2;
    for (let i = from; i < to; i += 1) if ((sorted[i] as number) > 0) positive += rank;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const mean = (n * (n + 1)) / 4;
  if (n <= EXACT_MAX && ties === 0) {
    const least = Math.min(positive, 2 * mean - positive);
    return Math.min(1, 2 * sumOf(signedRankLaw(n).slice(0, least + 1)));
  }
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - ties / 48);
  return 2 * normalCdf(-Math.abs(positive - mean) / deviation);
}

/**
 * How many of the smallest and of the largest pair averages lie outside the interval for their median: the greatest k for which the rank sum is
 * below k with at most half of what the confidence leaves. 0: so few values have no finite interval.
 */
export function signedRankCut(n: number, confidence: number): number {
  const tail = (1 - confidence) / 2;
  if (n > EXACT_MAX) return Math.floor((n * (n + 1)) / 4 - normalQuantile(1 - tail) * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24));
  const law = signedRankLaw(n);
  let below = 0;
  let k = 0;
  while (below + (law[k] as number) <= tail) {
    below += law[k] as number;
    k += 1;
  }
  return k;
}

/** The probability of each sum of the positive ranks, for n values that are as likely positive as negative. */
function signedRankLaw(n: number): number[] {
  let law = [1];
  for (let rank = 1; rank <= n; rank += 1) {
    const before = law;
    law = Array.from({ length: before.length + rank }, (_, sum) => ((before[sum] ?? 0) + (before[sum - rank] ?? 0)) / 2);
  }
  return law;
}

function sumOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
