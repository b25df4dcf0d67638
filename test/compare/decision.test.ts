import { describe, expect, test } from 'vitest';
import { type Comparison, compareSides } from '../../src/compare/compare.ts';
import type { Margin } from '../../src/compare/margin.ts';
import type { Question } from '../../src/compare/questions.ts';
import { type Behaviour, side, sideOf, trialOf } from './sides.ts';

const MARGIN = { relative: 0.05 };

/** 200 seeds; under live every time has noise of its own. */
function compared(
  before: Behaviour,
  after: Behaviour,
  { driver = 'sim', margin = MARGIN }: { driver?: 'sim' | 'live'; margin?: Margin } = {},
): Comparison {
  const noise = driver === 'sim' ? 0 : 0.1;
  const run = { driver };
  const baseline = sideOf('before', { noise, name: 'before', ...before }, 200, run);
  return compareSides({ baseline, contender: sideOf('after', { noise, name: 'after', ...after }, 200, run) }, margin);
}

const decisions = ({ questions, rmstMs }: Comparison) =>
  Object.fromEntries([...questions.map(({ name, decision }) => [name, decision]), ['mean', rmstMs?.decision]]);

describe.each(['sim', 'live'] as const)('planted changes among 200 pairs, with the times of %s', (driver) => {
  test('nothing changed', () => {
    const comparison = compared({}, {}, { driver });
    expect(comparison.decision).toBe('ok');
    expect(comparison.reasons.join()).toMatch(/from 0 to 0 of 200: fewer than 1\.5 % at 95 %/);
  });

  test('fast recoveries 20 % slower: the mean does not see it, the clean pairs do', () => {
    const comparison = compared({}, { fast_ms: 480 }, { driver });
    expect(comparison.decision).toBe('regressed');
    expect(decisions(comparison)).toMatchObject({ 'clean-recovery': 'regressed', 'left-behind-recovery': 'ok', mean: 'ok' });
    const { estimate, lower, upper } = comparison.questions.find(({ name }) => name === 'clean-recovery') as Question;
    expect(estimate).toBeCloseTo(1.2, 1);
    expect(lower).toBeGreaterThan(1.15);
    expect(upper).toBeLessThan(1.25);
  });

  test('a lease of 33 s for one of 30', () => {
    const comparison = compared({}, { lease_ms: 33_000 }, { driver });
    expect(comparison.decision).toBe('regressed');
    expect(decisions(comparison)).toMatchObject({ 'clean-recovery': 'ok', 'left-behind-recovery': 'regressed', mean: 'regressed' });
    expect(comparison.rmstMs?.p).toBeLessThan(0.01);
  });

  test('a shorter lease is no regression', () => {
    expect(compared({}, { lease_ms: 28_000 }, { driver }).decision).toBe('ok');
  });

  test('more locks left behind: the mean pays for it', () => {
    const comparison = compared({}, { leftShare: 0.45 }, { driver });
    expect(comparison.decision).toBe('regressed');
    expect(decisions(comparison)).toMatchObject({ 'left-lock-behind': null, mean: 'regressed' });
    expect(comparison.questions[0]?.lower).toBeGreaterThan(0);
  });

  test('opposite changes that cancel in the mean', () => {
    const comparison = compared({}, { fast_ms: 800, lease_ms: 29_000 }, { driver });
    expect(Math.abs(comparison.rmstMs?.difference as number)).toBeLessThan(200);
    expect(comparison.decision).toBe('regressed');
    expect(comparison.reasons).toEqual([expect.stringMatching(/no lock behind changed by \+(99|100|101)(\.\d)? %/)]);
  });
});

describe('2 % that never recover', () => {
  test('are proof where times repeat: the same seeds recover in the baseline', () => {
    const comparison = compared({}, { neverEvery: 50 });
    expect(comparison.decision).toBe('regressed');
    expect(comparison.reasons[0]).toMatch(/never recover went from 0 to 4 of 200: no margin/);
    expect(comparison.seeds.exact?.changedMost.slice(0, 4)).toMatchObject([
      { contenderMs: null, replay: { contender: expect.stringMatching(/^npx crash-campaign replay c .*--subject after --seed 1\d\d0$/) } },
      { contenderMs: null },
      { contenderMs: null },
      { contenderMs: null },
    ]);
  });

  test('may be chance under the real clock, and 5 % are not', () => {
    expect(compared({}, { neverEvery: 50 }, { driver: 'live' }).decision).toBe('inconclusive');
    expect(compared({}, { neverEvery: 20 }, { driver: 'live' }).decision).toBe('regressed');
  });

  test('are none the worse where the baseline has them too', () => {
    expect(compared({ neverEvery: 50 }, { neverEvery: 50 }).decision).toBe('ok');
  });
});

test('a margin in milliseconds', () => {
  expect(compared({}, { lease_ms: 33_000 }, { margin: { absoluteMs: 5000 } }).decision).toBe('ok');
  expect(compared({}, { lease_ms: 33_000 }, { margin: { absoluteMs: 2000 } }).decision).toBe('regressed');
  expect(compared({}, { fast_ms: 480 }, { margin: { absoluteMs: 50 } }).reasons).toEqual([
    expect.stringMatching(/^mean recovery changed by .*\(50 ms\)$/),
    expect.stringMatching(/no lock behind changed by \+8\d(\.\d)? ms .*\(50 ms\)$/),
  ]);
});

test('an interval that lies on both sides of the margin is inconclusive, and says how many pairs would tell', () => {
  const many = sideOf('before', { noise: 0.8, name: 'a' }, 60, { driver: 'live' });
  const comparison = compareSides(
    { baseline: many, contender: sideOf('after', { noise: 0.8, name: 'b' }, 60, { driver: 'live' }) },
    MARGIN,
  );
  expect(comparison.decision).toBe('inconclusive');
  expect(comparison.reasons.join()).toMatch(/about \d+ pairs would tell/);
});

test('a mode that hardly occurs is shown and left to the mean', () => {
  const rare = (name: string) =>
    side(
      name,
      Array.from({ length: 20 }, (_, i) => trialOf(1000 + i, { leftShare: i < 3 ? 1 : 0 })),
    );
  const comparison = compareSides({ baseline: rare('a'), contender: rare('b') }, MARGIN);
  expect(comparison.decision).toBe('ok');
  expect(comparison.questions[3]).toMatchObject({ n: 3, estimate: 0, lower: null, upper: null, p: null, decision: null });
});

test('of two alike, with noise of their own, few are called different', () => {
  const alarms = Array.from({ length: 60 }, (_, i) => {
    const half = (name: string) =>
      side(
        name,
        Array.from({ length: 50 }, (_, k) => trialOf(10_000 * i + k, { noise: 0.3, name })),
        { driver: 'live' },
      );
    return compareSides({ baseline: half('a'), contender: half('b') }, MARGIN).decision;
  });
  expect(alarms.filter((decision) => decision === 'regressed').length).toBeLessThanOrEqual(3);
});

test('swapping the sides turns every change around', () => {
  const [there, back] = [compared({ lease_ms: 33_000 }, { fast_ms: 500 }), compared({ fast_ms: 500 }, { lease_ms: 33_000 })];
  expect(back.rmstMs?.difference).toBeCloseTo(-(there.rmstMs?.difference as number), 6);
  expect(back.rmstMs?.p).toBe(there.rmstMs?.p);
  expect(back.questions[2]?.estimate).toBeCloseTo(1 / (there.questions[2]?.estimate as number), 9);
  expect(back.shifts.map(({ shift }) => shift)).toEqual(there.shifts.map(({ shift }) => 0 - (shift as number)));
});
