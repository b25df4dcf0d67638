import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recoveredShare } from '../../src/stats/recovered-share.ts';

test('without censoring it is the empirical distribution', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1 }), (times) => {
      const steps = recoveredShare(times.map((time) => ({ time, observed: true })));
      for (const { time, share } of steps) expect(share).toBeCloseTo(times.filter((other) => other <= time).length / times.length, 12);
      expect(steps.map(({ time }) => time)).toEqual([...new Set(times)].sort((a, b) => a - b));
    }),
  );
});

// Kaplan and Meier: at 2 one of four is over, one is lost from sight at 3; at 5 one of two.
test('what was lost from sight counts for as long as it was seen', () => {
  const steps = recoveredShare([
    { time: 5, observed: true },
    { time: 2, observed: true },
    { time: 3, observed: false },
    { time: 9, observed: false },
  ]);
  expect(steps).toEqual([
    { time: 2, share: 0.25 },
    { time: 5, share: 0.625 },
  ]);
});
