import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stream } from '../../src/random/stream.ts';
import { clopperPearson } from '../../src/stats/clopper-pearson.ts';
import { hodgesLehmann } from '../../src/stats/hodges-lehmann.ts';
import { holm } from '../../src/stats/holm.ts';
import { mcnemarExact, mcnemarMidP, pairedDifference } from '../../src/stats/mcnemar.ts';
import { quantileInterval } from '../../src/stats/quantile-interval.ts';
import { restrictedMean } from '../../src/stats/restricted-mean.ts';
import { shiftFunction } from '../../src/stats/shift-function.ts';
import { signFlipTest } from '../../src/stats/sign-flip.ts';
import { signedRankTest } from '../../src/stats/signed-rank.ts';
import { meanInterval } from '../../src/stats/student.ts';

/** Whole numbers add without rounding, so that laws hold to the last bit. */
const whole = fc.integer({ min: -1000, max: 1000 });
const sample = fc.array(whole, { minLength: 1, maxLength: 80 });
/** Times as records have them. */
const microseconds = fc.integer({ min: -1e9, max: 1e9 }).map((us) => us / 1000);
const counts = fc
  .tuple(fc.nat(200), fc.nat(200), fc.nat(200))
  .map(([gained, lost, same]) => ({ gained, lost, n: gained + lost + same }))
  .filter(({ n }) => n > 0);

const plus = (value: number | null, shift: number) => (value === null ? null : value + shift);
const minus = (value: number | null) => (value === null ? null : 0 - value);

describe('Hodges–Lehmann', () => {
  test('moves with the sample, and turns around with it', () => {
    fc.assert(
      fc.property(sample, whole, (values, shift) => {
        const { estimate, lower, upper } = hodgesLehmann(values, 0.95);
        expect(
          hodgesLehmann(
            values.map((value) => value + shift),
            0.95,
          ),
        ).toEqual({ estimate: estimate + shift, lower: plus(lower, shift), upper: plus(upper, shift) });
        expect(
          hodgesLehmann(
            values.map((value) => 0 - value),
            0.95,
          ),
        ).toEqual({ estimate: 0 - estimate, lower: minus(upper), upper: minus(lower) });
      }),
    );
  });

  test('is what laying out all averages gives', () => {
    fc.assert(
      fc.property(fc.array(microseconds, { minLength: 1, maxLength: 30 }), (values) => {
        const walsh = values.flatMap((a, i) => values.slice(i).map((b) => (a + b) / 2)).toSorted((a, b) => a - b);
        const half = walsh.length / 2;
        const median = walsh.length % 2 ? walsh[Math.floor(half)] : ((walsh[half - 1] as number) + (walsh[half] as number)) / 2;
        expect(hodgesLehmann(values, 0.95).estimate + 0).toBe((median as number) + 0);
      }),
    );
  });
});

test('the order of the pairs does not matter', () => {
  const shuffled = fc
    .array(whole, { minLength: 2, maxLength: 60 })
    .chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })));
  fc.assert(
    fc.property(shuffled, ([values, other]) => {
      expect(hodgesLehmann(other, 0.95)).toEqual(hodgesLehmann(values, 0.95));
      expect(signedRankTest(other)).toBe(signedRankTest(values));
      expect(meanInterval(other, 0.95).estimate).toBe(meanInterval(values, 0.95).estimate);
    }),
  );
});

test('which side is called the first does not matter to a p-value', () => {
  fc.assert(
    fc.property(sample, counts, (values, { gained, lost, n }) => {
      const turned = values.map((value) => -value);
      const swapped = { gained: lost, lost: gained, n };
      expect(signedRankTest(turned)).toBeCloseTo(signedRankTest(values), 12);
      expect(signFlipTest(turned, 99, stream('test', 'turned').next)).toBe(signFlipTest(values, 99, stream('test', 'turned').next));
      expect(mcnemarExact(swapped)).toBe(mcnemarExact({ gained, lost, n }));
      expect(mcnemarMidP(swapped)).toBe(mcnemarMidP({ gained, lost, n }));
      const [there, back] = [pairedDifference({ gained, lost, n }, 0.95), pairedDifference(swapped, 0.95)];
      expect(back.lower).toBeCloseTo(-there.upper, 12);
    }),
  );
});

test('what does not differ is told from nothing by no test', () => {
  expect(signedRankTest([0, 0, 0])).toBe(1);
  expect(signFlipTest([0, 0, 0], 99, stream('test').next)).toBe(1);
  expect(mcnemarMidP({ n: 10, gained: 0, lost: 0 })).toBe(1);
  expect(mcnemarMidP({ n: 10, gained: 3, lost: 3 })).toBe(1);
});

test('a resampled p-value is never 0', () => {
  expect(
    signFlipTest(
      Array.from({ length: 40 }, (_, i) => 100 + i),
      99,
      stream('test').next,
    ),
  ).toBe(0.01);
});

describe('without an effect, p-values are as small as chance makes them', () => {
  /** Bimodal times of two sides that share the mode by chance only. */
  function differences(seed: number, n: number): number[] {
    const { next } = stream('test', 'a/a', seed);
    const time = () => (next() < 0.3 ? 30_000 + 1100 * next() : 400 * Math.exp(next() - 0.5));
    return Array.from({ length: n }, () => time() - time());
  }
  const tests: [string, (values: number[], seed: number) => number][] = [
    ['signed-rank', signedRankTest],
    ['sign-flip', (values, seed) => signFlipTest(values, 199, stream('test', 'flips', seed).next)],
    [
      'McNemar mid-p',
      (values) =>
        mcnemarMidP({
          n: values.length,
          gained: values.filter((value) => value > 10_000).length,
          lost: values.filter((value) => value < -10_000).length,
        }),
    ],
  ];
  test.each(tests)('%s', (_, p) => {
    const pValues = Array.from({ length: 400 }, (_, seed) => p(differences(seed, 60), seed));
    const share = (limit: number) => pValues.filter((value) => value <= limit).length / pValues.length;
    // Three standard errors of a share of 400.
    for (const limit of [0.05, 0.25, 0.5, 0.75])
      expect(Math.abs(share(limit) - limit)).toBeLessThan(3 * Math.sqrt((limit * (1 - limit)) / 400));
  });

  test('and intervals hold what they should', () => {
    const n = 400;
    const missed = Array.from({ length: n }, (_, seed) => hodgesLehmann(differences(seed, 60), 0.95)).filter(
      ({ lower, upper }) => (lower as number) > 0 || (upper as number) < 0,
    ).length;
    expect(missed / n).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / n));
  });
});

describe('quantile intervals', () => {
  test.each([
    [0.5, 6],
    [0.9, 29],
    [0.95, 59],
    [0.99, 299],
    [0.1, 29],
  ])('of %d are finite from %d values on', (p, least) => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => i);
    expect(quantileInterval(values(least), p, 0.95)).not.toBeNull();
    expect(quantileInterval(values(least - 1), p, 0.95)).toBeNull();
  });

  test('of nothing and of one value know nothing', () => {
    expect(quantileInterval([], 0.5, 0.95)).toBeNull();
    expect(quantileInterval([7], 0.5, 0.95)).toBeNull();
  });

  test('miss the quantile as often as they say, or less', () => {
    for (const [p, n] of [
      [0.5, 25],
      [0.9, 60],
      [0.1, 60],
    ] as const) {
      let missed = 0;
      for (let seed = 0; seed < 1000; seed += 1) {
        const { next } = stream('test', 'coverage', p, seed);
        const interval = quantileInterval(
          Array.from({ length: n }, () => next()).toSorted((a, b) => a - b),
          p,
          0.95,
        );
        if (interval === null || interval.lower > p || interval.upper < p) missed += 1;
      }
      expect(missed / 1000).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1000));
    }
  });
});

describe('the shift function', () => {
  const baseline = Array.from({ length: 200 }, (_, i) => i);
  const shifts = (contender: number[], quantiles: number[]) =>
    shiftFunction({ baseline, contender }, quantiles, 0.95, { resamples: 499, next: stream('test', 'bootstrap').next });

  test('sees what the mean hides', () => {
    const [p10, p50, p90] = shifts(
      baseline.map((value) => 2 * value - 99.5),
      [0.1, 0.5, 0.9],
    );
    expect([p10, p50, p90].map((shift) => Math.round(shift?.shift as number))).toEqual([-80, 0, 80]);
    expect(p10?.upper).toBeLessThan(0);
    expect(p50?.lower).toBeLessThan(0);
    expect(p50?.upper).toBeGreaterThan(0);
    expect(p90?.lower).toBeGreaterThan(0);
  });

  test('knows pairs: what moved by the same everywhere moved by just that', () => {
    for (const shift of shifts(
      baseline.map((value) => value + 5),
      [0.1, 0.5, 0.9],
    ))
      expect(shift).toMatchObject({ shift: 5, lower: 5, upper: 5 });
  });

  test('what never came is infinite', () => {
    const never = shifts(
      baseline.map((value) => (value < 150 ? value : Infinity)),
      [0.5, 0.9],
    );
    expect(never).toMatchObject([
      { shift: 0, lower: 0, upper: 0 },
      { contender: null, shift: null, lower: null, upper: null },
    ]);
  });

  test('has ends only where the quantiles have', () => {
    const few = { baseline: baseline.slice(0, 20), contender: baseline.slice(0, 20) };
    const ends = shiftFunction(few, [0.5, 0.9], 0.95, { resamples: 99, next: stream('test').next });
    expect(ends).toMatchObject([
      { lower: 0, upper: 0 },
      { lower: null, upper: null },
    ]);
  });

  test('of samples without an effect mostly allows for none', () => {
    let missed = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const { next } = stream('test', 'shift a/a', seed);
      const sample = () => Array.from({ length: 60 }, () => next());
      const [shift] = shiftFunction({ baseline: sample(), contender: sample() }, [0.5], 0.95, { resamples: 199, next });
      if ((shift?.lower as number) > 0 || (shift?.upper as number) < 0) missed += 1;
    }
    expect(missed / 200).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 200));
  });
});

test('Holm: by hand, never below the p-value, and in its order', () => {
  expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
      const adjusted = holm(pValues);
      expect(adjusted).toHaveLength(pValues.length);
      for (const [i, p] of pValues.entries()) {
        expect(adjusted[i]).toBeGreaterThanOrEqual(p);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        for (const [j, q] of pValues.entries()) if (p < q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number);
      }
    }),
  );
});

test('the restricted mean of what was watched long enough is the mean of min(time, horizon)', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }), fc.integer({ min: 1, max: 1000 }), (times, horizon) => {
      const cut = times.map((time) => Math.min(time, horizon));
      const mean = cut.reduce((sum, time) => sum + time, 0) / cut.length;
      const sample = times.map((time) => ({ time: Math.min(time, horizon), observed: time < horizon }));
      expect(restrictedMean(sample, horizon).mean).toBeCloseTo(mean, 8);
    }),
  );
});

test('Clopper–Pearson: the bounds when nothing failed, and the interval mirrors', () => {
  expect(clopperPearson(0, 30, 0.9).upper).toBeCloseTo(0.095, 3);
  expect(clopperPearson(0, 300, 0.9).upper).toBeCloseTo(0.01, 3);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (n, k) => {
      const count = Math.min(n, k);
      const [there, back] = [clopperPearson(count, n, 0.95), clopperPearson(n - count, n, 0.95)];
      expect(there.lower).toBeLessThanOrEqual(count / n);
      expect(there.upper).toBeGreaterThanOrEqual(count / n);
      expect(back.lower).toBeCloseTo(1 - there.upper, 10);
    }),
  );
});
