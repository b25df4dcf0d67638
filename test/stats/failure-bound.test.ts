import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureBound } from '../../src/stats/failure-bound.ts';

test.each([
  [0, 1],
  [1, 0.95],
  [30, 0.095],
  [299, 0.00997],
  [300, 0.00994],
  [3000, 0.000998],
])('%i trials without a failure leave %d possible', (trials, bound) => {
  expect(failureBound(trials)).toBeCloseTo(bound, bound < 0.001 ? 6 : 4);
});

test('a program that fails so often holds in all of them with the chance that is left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.5, max: 0.999, noNaN: true }), (trials, confidence) => {
      expect((1 - failureBound(trials, confidence)) ** trials).toBeCloseTo(1 - confidence, 9);
    }),
  );
});
