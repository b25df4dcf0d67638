import { describe, expect, test } from 'vitest';
import { stream } from '../../src/random/stream.ts';
import { clopperPearson } from '../../src/stats/clopper-pearson.ts';
import { hodgesLehmann } from '../../src/stats/hodges-lehmann.ts';
import { mcnemarExact, mcnemarMidP, pairedDifference } from '../../src/stats/mcnemar.ts';
import { normalCdf, normalQuantile } from '../../src/stats/normal.ts';
import { quantileInterval } from '../../src/stats/quantile-interval.ts';
import { restrictedMean } from '../../src/stats/restricted-mean.ts';
import { signFlipTest } from '../../src/stats/sign-flip.ts';
import { signedRankCut, signedRankTest } from '../../src/stats/signed-rank.ts';
import { meanInterval, studentCdf } from '../../src/stats/student.ts';
import golden from './golden.json' with { type: 'json' };

const { samples } = golden;

describe("agrees with scipy's numbers (golden.py)", () => {
  test.each(golden.normal)('normal distribution at $z', ({ z, cdf }) => {
    expect(Math.abs(normalCdf(z) - cdf)).toBeLessThan(1e-14);
  });

  test.each(golden.normalQuantiles)('normal quantile at $p', ({ p, z }) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 11);
  });

  test.each(golden.student)('Student at $t with $degrees degrees of freedom', ({ t, degrees, cdf }) => {
    expect(studentCdf(t, degrees)).toBeCloseTo(cdf, 12);
  });

  test.each(['small', 'large'] as const)("Student's interval of the %s sample", (name) => {
    const { estimate, lower, upper } = meanInterval(samples[name], 0.95);
    expect([estimate, lower, upper]).toEqual(Object.values(golden.meanInterval[name]).map((value) => expect.closeTo(value, 7)));
  });

  test.each(golden.mcnemar)('McNemar with $gained against $lost of $n', ({ exact, midP, lower, upper, ...counts }) => {
    expect(mcnemarExact(counts)).toBeCloseTo(exact, 10);
    expect(mcnemarMidP(counts)).toBeCloseTo(midP, 10);
    const interval = pairedDifference(counts, 0.95);
    expect([interval.lower, interval.upper]).toEqual([expect.closeTo(lower, 12), expect.closeTo(upper, 12)]);
  });

  test.each(golden.clopperPearson)('Clopper–Pearson of $count in $n', ({ count, n, confidence, lower, upper }) => {
    expect(clopperPearson(count, n, confidence)).toEqual({ lower: expect.closeTo(lower, 10), upper: expect.closeTo(upper, 10) });
  });

  test.each(['small', 'middling', 'large', 'tied'] as const)('signed-rank test of the %s sample', (name) => {
    expect(signedRankTest(samples[name])).toBeCloseTo(golden.signedRank[name], 11);
  });

  test.each(golden.signedRankCuts)('signed-rank cut for $n values', ({ n, cut }) => {
    expect(signedRankCut(n, 0.95)).toBe(cut);
  });

  test.each(Object.entries(golden.hodgesLehmann))('Hodges–Lehmann of the %s sample', (name, expected) => {
    const sample = name === 'five' ? samples.small.slice(0, 5) : samples[name as keyof typeof samples];
    expect(hodgesLehmann(sample, 0.95)).toEqual(expected);
  });

  test.each(golden.quantileRanks)('ranks around the quantile $p of $n values', ({ n, p, ranks }) => {
    const interval = quantileInterval(
      Array.from({ length: n }, (_, i) => i + 1),
      p,
      0.95,
    );
    expect(interval && [interval.lower, interval.upper]).toEqual(ranks);
  });

  test('sign-flip test, against all 2⁹ swaps', () => {
    const { next } = stream('test', 'golden');
    expect(Math.abs(signFlipTest(samples.small, 20_000, next) - golden.signFlip)).toBeLessThan(0.01);
  });

  test.each(golden.restrictedMean.at)('restricted mean up to $horizon, with censored times', ({ horizon, mean, error }) => {
    const sample = golden.restrictedMean.times.map((time, i) => ({ time, observed: golden.restrictedMean.observed[i] as boolean }));
    expect(restrictedMean(sample, horizon)).toEqual({ mean: expect.closeTo(mean, 6), error: expect.closeTo(error, 6) });
  });
});
