import { quantile } from './quantile.ts';
import { quantileInterval } from './quantile-interval.ts';

/** A quantile of two samples, and how far it moved. What is infinite, or has no finite end for so few values, is null. */
export interface Shift {
  p: number;
  baseline: number | null;
  contender: number | null;
  shift: number | null;
  lower: number | null;
  upper: number | null;
}

/** Values of which those at the same index belong together. They may be Infinity, for what never came. */
export interface PairedSamples {
  baseline: readonly number[];
  contender: readonly number[];
}

/**
 * The shift function: how far each quantile moved from one sample to the other. Two samples with the same mean can differ in it everywhere.
 *
 * Its intervals are those of the bootstrap (percentile), which draws pairs and so keeps what the two have in common. They are there only where the quantiles
 * themselves have a finite interval.
 * @param quantiles ascending, strictly between 0 and 1
 * @param next a stream of random numbers in [0, 1)
 * @see Doksum, "Empirical probability plots and statistical inference for nonlinear models in the two-sample case", Annals of Statistics 2 (1974), 267–277
 */
export function shiftFunction(
  { baseline, contender }: PairedSamples,
  quantiles: readonly number[],
  confidence: number,
  { resamples, next }: { resamples: number; next: () => number },
): Shift[] {
  const sorted = { baseline: baseline.toSorted((a, b) => a - b), contender: contender.toSorted((a, b) => a - b) };
  const resampled = resampledShifts({ baseline, contender }, quantiles, resamples, next);
  return quantiles.map((p, index) => {
    const [before, after] = [finite(quantile(sorted.baseline, p)), finite(quantile(sorted.contender, p))];
    const shift = before === null || after === null ? null : after - before;
    const isKnown =
      shift !== null && [sorted.baseline, sorted.contender].every((values) => quantileInterval(values, p, confidence) !== null);
    const shifts = (resampled[index] as Float64Array).sort();
    const end = (share: number) => finite(quantile(shifts as unknown as number[], share));
    return {
      p,
      baseline: before,
      contender: after,
      shift,
      lower: isKnown ? end((1 - confidence) / 2) : null,
      upper: isKnown ? end((1 + confidence) / 2) : null,
    };
  });
}

/** For each quantile, its shifts in all resamples. A resample says how often each pair was drawn, so that nothing is sorted more than once. */
function resampledShifts({ baseline, contender }: PairedSamples, quantiles: readonly number[], resamples: number, next: () => number) {
  const n = baseline.length;
  const [before, after] = [ordered(baseline), ordered(contender)];
  const shifts = quantiles.map(() => new Float64Array(resamples));
  const drawn = new Uint32Array(n);
  for (let resample = 0; resample < resamples; resample += 1) {
    drawn.fill(0);
    for (let draw = 0; draw < n; draw += 1) {
      const index = Math.floor(next() * n);
      drawn[index] = (drawn[index] as number) + 1;
    }
    const [from, to] = [drawnQuantiles(before, drawn, quantiles), drawnQuantiles(after, drawn, quantiles)];
    for (const [index, of] of shifts.entries()) {
      const shift = (to[index] as number) - (from[index] as number);
      // Two that never came are as late as each other.
      of[resample] = Number.isNaN(shift) ? 0 : shift;
    }
  }
  return shifts;
}

interface Ordered {
  values: readonly number[];
  /** The indexes of the values, smallest value first. */
  order: Uint32Array;
}

function ordered(values: readonly number[]): Ordered {
  // Compared, not subtracted: Infinity − Infinity is no order.
  const order = Uint32Array.from(values.keys()).sort((i, j) => {
    const [a, b] = [values[i] as number, values[j] as number];
    return a < b ? -1 : a > b ? 1 : 0;
  });
  return { values, order };
}

/** Quantiles of type 7, of a sample in which each value stands as often as it was drawn. */
function drawnQuantiles({ values, order }: Ordered, drawn: Uint32Array, quantiles: readonly number[]): number[] {
  const positions = quantiles.map((p) => (values.length - 1) * p);
  const ranks = positions.flatMap((position) => [Math.floor(position), Math.ceil(position)]);
  const found: number[] = [];
  let passed = 0;
  for (let i = 0; i < order.length && found.length < ranks.length; i += 1) {
    const index = order[i] as number;
    passed += drawn[index] as number;
    while (found.length < ranks.length && (ranks[found.length] as number) < passed) found.push(values[index] as number);
  }
  return positions.map((position, q) => {
    const [lower, upper] = [found[2 * q] as number, found[2 * q + 1] as number];
    return lower === upper ? lower : lower + (upper - lower) * (position - Math.floor(position));
  });
}

/** Between the last finite value and an infinite one interpolation gives NaN. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
