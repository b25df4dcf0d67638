import fc from 'fast-check';
import { expect, test } from 'vitest';
import { upperBound } from '../../src/stats/clopper-pearson.ts';

test('the rule of three: no failure in 3,000 trials means fewer than 1 in 1,000 at 95 %', () => {
  expect(upperBound(0, 3_000, 0.95)).toBeLessThan(1 / 1_000);
  expect(upperBound(0, 2_900, 0.95)).toBeGreaterThan(1 / 1_000);
  expect(upperBound(0, 299, 0.95)).toBeCloseTo(0.01, 4);
});

test('so few events have exactly the chance that the confidence leaves', () => {
  // At most one event in n trials: (1-p)^n + n p (1-p)^(n-1).
  const p = upperBound(1, 20, 0.95);
  expect((1 - p) ** 20 + 20 * p * (1 - p) ** 19).toBeCloseTo(0.05, 12);
});

test('a program that fails so often holds in all trials with the chance that is left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.5, max: 0.999, noNaN: true }), (n, confidence) => {
      expect((1 - upperBound(0, n, confidence)) ** n).toBeCloseTo(1 - confidence, 9);
    }),
  );
});

test('it grows with the count, shrinks with the trials, and is 1 when all were events', () => {
  expect(upperBound(2, 50, 0.95)).toBeGreaterThan(upperBound(1, 50, 0.95));
  expect(upperBound(2, 500, 0.95)).toBeLessThan(upperBound(2, 50, 0.95));
  expect(upperBound(5, 5, 0.95)).toBe(1);
  expect(upperBound(0, 0, 0.95)).toBe(1);
});

test.each([
  [-1, 3, 0.95],
  [4, 3, 0.95],
  [0.5, 3, 0.95],
  [1, 3, 1],
])('upperBound(%s, %s, %s) makes no sense', (count, n, confidence) => {
  expect(() => upperBound(count, n, confidence)).toThrow(RangeError);
});
