import { describe, expect, test } from 'vitest';
import { compareSides } from '../../src/compare/compare.ts';
import { IncomparableError, pairUp, type Side } from '../../src/compare/pair.ts';
import { voided } from '../fixtures/records.ts';
import { side, sideOf, trialOf } from './sides.ts';

const MARGIN = { relative: 0.05 };
const records = (from: number, n: number) => Array.from({ length: n }, (_, i) => trialOf(from + i, {}));

describe('runs that have nothing to say about each other', () => {
  const refused: [string, Side, RegExp][] = [
    ['of another campaign', sideOf('b', {}, 10, { campaign: 'd' }), /campaign c, the other of d/],
    ['under another driver', sideOf('b', {}, 10, { driver: 'live' }), /under sim, the other under live/],
    [
      'of other plans',
      side('b', [...records(1000, 8), ...[1008, 1009].map((seed) => trialOf(seed, {}, { plan: 's1@op#6:kill' }))]),
      /2 of 10 trials have different plans, the first kill-anywhere\/1008: "s1@op#5:kill" against "s1@op#6:kill"\. .*compare <campaign>/,
    ],
    ['of other seeds', side('b', records(2000, 10)), /no scenario and seed in common/],
  ];
  test.each(refused)('%s', (_, contender, message) => {
    expect(() => pairUp(sideOf('a', {}, 10), contender)).toThrow(IncomparableError);
    expect(() => pairUp(sideOf('a', {}, 10), contender)).toThrow(message);
  });
});

test('the order of the records does not matter, and what only one side has is left out', () => {
  const contender = side('b', records(1002, 10).toReversed());
  const pairs = pairUp(sideOf('a', {}, 10), contender);
  expect(pairs.map(({ baseline }) => baseline.seed)).toEqual([1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009]);
  expect(pairs.every(({ baseline, contender }) => baseline.seed === contender.seed)).toBe(true);
});

describe('attrition comes before any statistics', () => {
  const inconclusive = (baseline: Side, contender: Side) => {
    const comparison = compareSides({ baseline, contender }, MARGIN);
    expect(comparison).toMatchObject({ decision: 'inconclusive', questions: [], rmstMs: null, mechanism: null });
    return comparison.reasons.join('\n');
  };

  test('an empty run', () => {
    expect(inconclusive(sideOf('a', {}, 0), sideOf('b', {}, 10))).toMatch(/the baseline has no trials/);
    expect(inconclusive(sideOf('a', {}, 10), sideOf('b', {}, 0))).toMatch(/the contender has no trials/);
  });

  test('too few pairs', () => {
    expect(inconclusive(sideOf('a', {}, 5), sideOf('b', {}, 5))).toMatch(/only 5 pairs/);
    expect(compareSides({ baseline: sideOf('a', {}, 6), contender: sideOf('b', {}, 6) }, MARGIN).decision).toBe('ok');
  });

  test('one side lost more than the other', () => {
    const lossy = side('b', [...records(1000, 92), ...Array.from({ length: 8 }, (_, i) => voided(1092 + i))]);
    expect(inconclusive(sideOf('a', {}, 100), lossy)).toMatch(/baseline was judged in 100, the contender in 92/);
  });

  test('both lost the same many', () => {
    const lossy = (name: string) => side(name, [...records(1000, 85), ...Array.from({ length: 15 }, (_, i) => voided(1085 + i))]);
    expect(inconclusive(lossy('a'), lossy('b'))).toMatch(/only 85 of 100 planned trials were judged on both sides/);
  });

  test('each stage is counted', () => {
    const contender = side('b', [
      ...records(1000, 99),
      trialOf(1099, {}, { landed: [], ends: [{ session: 's1', how: 'foreign-kill', code: null, signal: 'SIGKILL', reason: null }] }),
    ]);
    const { attrition } = compareSides({ baseline: sideOf('a', { neverEvery: 50 }, 100), contender }, MARGIN);
    expect(attrition).toEqual({
      baseline: {
        planned: 100,
        ran: 100,
        landed: 100,
        landedWhileHeld: 100,
        judged: 100,
        killed: 100,
        loaded: 0,
        censored: 2,
        harnessErrors: 0,
      },
      contender: {
        planned: 100,
        ran: 100,
        landed: 99,
        landedWhileHeld: 99,
        judged: 100,
        killed: 100,
        loaded: 0,
        censored: 0,
        harnessErrors: 1,
      },
    });
  });
});

describe('trials of a machine that was too busy', () => {
  /** The trials of `n` seeds, of which the last `loaded` took a minute longer for it. */
  const busy = (name: string, n: number, loaded: number) =>
    side(
      name,
      Array.from({ length: n }, (_, i) => {
        if (i < n - loaded) return trialOf(1000 + i, {});
        return trialOf(1000 + i, { fast_ms: 60_000, lease_ms: 90_000 }, { loaded: { delay_ms: 60_000 } });
      }),
      { driver: 'live' },
    );
  const compared = (baseline: Side, contender: Side) => compareSides({ baseline, contender }, MARGIN);

  test('are counted, and have no part in any recovery time', () => {
    const { decision, attrition, seeds, mechanism, shifts, notes } = compared(busy('a', 40, 0), busy('b', 40, 2));
    expect(decision).toBe('ok');
    expect([attrition.baseline.loaded, attrition.contender.loaded, attrition.contender.killed]).toEqual([0, 2, 40]);
    expect(seeds).toMatchObject({ paired: 40, timed: 38 });
    expect(mechanism?.contender.at(-1)).toMatchObject({ mechanism: 'all', trials: 38 });
    expect(shifts.every(({ shift }) => shift === 0)).toBe(true);
    expect(notes).toContainEqual(expect.stringMatching(/^2 trials were measured on a machine that was too busy/));
  });

  test('leave nothing to compare where too few others are left', () => {
    const { decision, reasons } = compared(busy('a', 10, 5), busy('b', 10, 5));
    expect([decision, reasons]).toEqual(['inconclusive', [expect.stringMatching(/^only 5 of 10 pairs .* not too busy/)]]);
  });

  test('may not be those of one side: who burns the processor is no faster for it', () => {
    const { decision, reasons } = compared(busy('a', 40, 0), busy('b', 40, 20));
    expect(decision).toBe('inconclusive');
    expect(reasons).toEqual([expect.stringMatching(/in 0 for the baseline, in 20 for the contender/)]);
  });
});
