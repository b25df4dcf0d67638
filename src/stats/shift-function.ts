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

/**
 * The shift function: how far each quantile moved from one sample to the other. Two samples with the same mean can differ in it everywhere.
 *
 * The interval is distribution-free and holds however the samples depend on each other: each of the two quantiles misses its own interval with at most half of what
 * the confidence leaves. Samples may hold Infinity, for what never came.
 * @see Doksum, "Empirical probability plots and statistical inference for nonlinear models in the two-sample case", Annals of Statistics 2 (1974), 267–277
 */
export function shiftFunction(
  samples: { baseline: readonly number[]; contender: readonly number[] },
  quantiles: readonly number[],
  confidence: number,
): Shift[] {
  const baseline = samples.baseline.toSorted((a, b) => a - b);
  const contender = samples.contender.toSorted((a, b) => a - b);
  return quantiles.map((p) => {
    const [before, after] = [finite(quantile(baseline, p)), finite(quantile(contender, p))];
    const [from, to] = [quantileInterval(baseline, p, (1 + confidence) / 2), quantileInterval(contender, p, (1 + confidence) / 2)];
    return {
      p,
      baseline: before,
      contender: after,
      shift: difference(after, before),
      lower: difference(finite(to.lower), finite(from.upper)),
      upper: difference(finite(to.upper), finite(from.lower)),
    };
  });
}

function difference(after: number | null, before: number | null): number | null {
  return after === null || before === null ? null : after - before;
}

/** Between the last finite value and an infinite one interpolation gives NaN. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
