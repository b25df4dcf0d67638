/**
 * The sample quantile of type 7 (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), 361–365):
 * linear interpolation between the order statistics around (n − 1) p, the default of R's quantile() and NumPy's percentile().
 * `sorted` ascending; `p` from 0 to 1. Null for an empty sample.
 */
export function quantile(sorted: readonly number[], p: number): number | null {
  if (sorted.length === 0) return null;
  const position = (sorted.length - 1) * p;
  const lower = sorted[Math.floor(position)] as number;
  const upper = sorted[Math.ceil(position)] as number;
  return lower + (upper - lower) * (position - Math.floor(position));
}
