import type { Estimate } from './interval.ts';
import { inverse } from './normal.ts';

/**
 * Student's distribution function for a whole number of degrees of freedom, as a finite sum.
 * @see Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4
 */
export function studentCdf(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cos : 1;
  let sum = 0;
  for (let k = isOdd ? 3 : 2; k <= degrees; k += 2) {
    sum += term;
    term *= ((k - 1) / k) * cos * cos;
  }
  const between = isOdd ? (2 / Math.PI) * (angle + sin * sum) : sin * sum;
  return (1 + between) / 2;
}

/** The mean with Student's interval around it; of one value nothing but the value is known. `values` must not be empty. */
export function meanInterval(values: readonly number[], confidence: number): Estimate {
  const n = values.length;
  const estimate = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { estimate, lower: null, upper: null };
  const squares = values.reduce((sum, value) => sum + (value - estimate) ** 2, 0);
  const error = Math.sqrt(squares / (n - 1) / n) * studentQuantile((1 + confidence) / 2, n - 1);
  return { estimate, lower: estimate - error, upper: estimate + error };
}

export function studentQuantile(p: number, degrees: number): number {
  // One degree of freedom has the heaviest tails, and there the quantile is known: it bounds all others.
  const bound = Math.abs(Math.tan(Math.PI * (p - 0.5)));
  return inverse((t) => studentCdf(t, degrees), p, bound + 1e-9);
}
