/**
 * The standard normal distribution function, by its Taylor series; the absolute error is below 1e-14.
 * @see Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004)
 */
export function normalCdf(z: number): number {
  // Beyond it nothing is left that a double would keep beside 1.
  if (Math.abs(z) > 9) return z < 0 ? 0 : 1;
  let [sum, term, before] = [z, z, 0];
  for (let i = 3; sum !== before; i += 2) {
    before = sum;
    term *= (z * z) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The z below which a standard normal variable lies with probability `p`, strictly between 0 and 1. */
export function normalQuantile(p: number): number {
  return inverse(normalCdf, p, 9);
}

/** Where an increasing function that is odd around its centre reaches `p`, looked for between −`limit` and `limit`. */
export function inverse(cdf: (x: number) => number, p: number, limit: number): number {
  let [low, high] = [-limit, limit];
  for (let middle = 0; low < middle && middle < high; middle = (low + high) / 2) {
    if (cdf(middle) < p) low = middle;
    else high = middle;
    if (high - low < 1e-13) break;
  }
  return (low + high) / 2;
}
