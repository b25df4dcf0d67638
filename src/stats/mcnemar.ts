import { normalQuantile } from './normal.ts';

/** `n` pairs of yes or no. A pair counts as `gained` when only its second is yes, as `lost` when only its first is. */
export interface PairedCounts {
  n: number;
  gained: number;
  lost: number;
}

/**
 * McNemar's exact two-sided test: under the null hypothesis a pair that differs does so in either direction alike.
 * It never raises more false alarms than it says, and mostly fewer.
 */
export function mcnemarExact({ gained, lost }: PairedCounts): number {
  const { below, at } = halfBinomial(Math.min(gained, lost), gained + lost);
  return Math.min(1, 2 * (below + at));
}

/**
 * McNemar's test with the mid-p: what was seen counts by half, which makes up for how coarse the exact test is.
 * @see Fagerland, Lydersen and Laake, "The McNemar test for binary matched-pairs data", BMC Medical Research Methodology 13:91 (2013)
 */
export function mcnemarMidP({ gained, lost }: PairedCounts): number {
  const { below, at } = halfBinomial(Math.min(gained, lost), gained + lost);
  return Math.min(1, 2 * below + at);
}

/**
 * How much greater the second share is than the first, with Bonett and Price's interval. It has an end on either side also when no pair differs.
 * @see Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data",
 * Journal of Educational and Behavioral Statistics 37 (2012), 479–488
 */
export function pairedDifference(
  { n, gained, lost }: PairedCounts,
  confidence: number,
): { estimate: number; lower: number; upper: number } {
  const [up, down] = [(gained + 1) / (n + 2), (lost + 1) / (n + 2)];
  const error = normalQuantile((1 + confidence) / 2) * Math.sqrt((up + down - (up - down) ** 2) / (n + 2));
  return { estimate: (gained - lost) / n, lower: Math.max(-1, up - down - error), upper: Math.min(1, up - down + error) };
}

/** The probabilities of fewer than `k` and of exactly `k` heads among `n` throws of a fair coin. */
function halfBinomial(k: number, n: number): { below: number; at: number } {
  let logTerm = -n * Math.LN2;
  let below = 0;
  for (let heads = 0; heads < k; heads += 1) {
    below += Math.exp(logTerm);
    logTerm += Math.log((n - heads) / (heads + 1));
  }
  return { below, at: Math.exp(logTerm) };
}
