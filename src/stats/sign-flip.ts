/**
 * The paired permutation test, two-sided: how often the differences have a mean as far from 0 as theirs when the two sides of each pair are swapped at random.
 * The p-value is (b + 1) / (resamples + 1), which counts what was seen as one of the resamples and is never 0.
 * @param next a stream of random numbers in [0, 1)
 * @see Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications in Genetics and Molecular Biology 9 (2010)
 */
export function signFlipTest(differences: readonly number[], resamples: number, next: () => number): number {
  const values = Float64Array.from(differences.filter((difference) => difference !== 0));
  const seen = Math.abs(values.reduce((sum, value) => sum + value, 0));
  // Sums of the same terms differ by rounding.
  const slack = 1e-12 * values.reduce((sum, value) => sum + Math.abs(value), 0);
  let asFar = 0;
  for (let resample = 0; resample < resamples; resample += 1) {
    let sum = 0;
    let bits = 0;
    for (let i = 0; i < values.length; i += 1) {
      // One number gives 32 throws of a coin.
      bits = i % 32 === 0 ? Math.floor(next() * 2 ** 32) : bits >>> 1;
      sum += (bits & 1) === 1 ? (values[i] as number) : -(values[i] as number);
    }
    if (Math.abs(sum) >= seen - slack) asFar += 1;
  }
  return (asFar + 1) / (resamples + 1);
}
