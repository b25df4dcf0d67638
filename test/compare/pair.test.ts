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
      baseline: { planned: 100, ran: 100, landed: 100, landedWhileHeld: 100, judged: 100, killed: 100, censored: 2, harnessErrors: 0 },
      contender: { planned: 100, ran: 100, landed: 99, landedWhileHeld: 99, judged: 100, killed: 100, censored: 0, harnessErrors: 1 },
    });
  });
});
