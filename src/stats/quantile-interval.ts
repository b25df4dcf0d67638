/**
 * The distribution-free interval for a quantile: between two order statistics, chosen so that as few values as possible lie between them.
 * Null where the sample is too small for a finite one: at 95 % the median takes 6 values, p90 29, p95 59, p99 299.
 * @param sorted ascending
 * @param p strictly between 0 and 1
 * @see David and Nagaraja, Order Statistics (2003), 7.1
 */
export function quantileInterval(sorted: readonly number[], p: number, confidence: number): { lower: number; upper: number } | null {
  const n = sorted.length;
  const likely = binomial(n, p);
  // The quantile lies between the k-th and the next value when just k are below it. Only for k = 0 and k = n there is no value on one side.
  let low = Math.min(Math.max(Math.floor(n * p), 1), n - 1);
  let high = low;
  let covered = n < 2 ? 0 : likely(low);
  while (covered < confidence && (low > 1 || high < n - 1)) {
    const [below, above] = [low > 1 ? likely(low - 1) : -1, high < n - 1 ? likely(high + 1) : -1];
    if (below >= above) low -= 1;
    else high += 1;
    covered += Math.max(below, above);
  }
  // Sums of probabilities carry rounding.
  if (covered < confidence - 1e-12) return null;
  return { lower: sorted[low - 1] as number, upper: sorted[high] as number };
}

/** The probability of k among n, each with probability p. */
function binomial(n: number, p: number): (k: number) => number {
  const logFactorial = new Float64Array(n + 1);
  for (let k = 1; k <= n; k += 1) logFactorial[k] = (logFactorial[k - 1] as number) + Math.log(k);
  return (k) =>
    Math.exp(
      (logFactorial[n] as number) -
        (logFactorial[k] as number) -
        (logFactorial[n - k] as number) +
        k * Math.log(p) +
        (n - k) * Math.log1p(-p),
    );
}
