import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../../src/stats/quantile.ts';

// numpy.percentile([1.5, 2, 4, 8, 16.25, 40], [0, 10, 25, 50, 90, 100])
test.each([
  [0, 1.5],
  [0.1, 1.75],
  [0.25, 2.5],
  [0.5, 6],
  [0.9, 28.125],
  [1, 40],
])('type 7 at %d is %d', (p, expected) => {
  expect(quantile([1.5, 2, 4, 8, 16.25, 40], p)).toBeCloseTo(expected, 12);
});

test('of one value is that value, and of none there is none', () => {
  expect(quantile([7], 0.9)).toBe(7);
  expect(quantile([], 0.5)).toBeNull();
});

test('lies within the sample and grows with p', () => {
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, p, p, (sample, a, b) => {
      const sorted = sample.toSorted((x, y) => x - y);
      const [low, high] = [quantile(sorted, Math.min(a, b)), quantile(sorted, Math.max(a, b))] as [number, number];
      expect(low).toBeGreaterThanOrEqual(sorted[0] as number);
      expect(high).toBeLessThanOrEqual(sorted.at(-1) as number);
      expect(low).toBeLessThanOrEqual(high + 1e-9);
    }),
  );
});
