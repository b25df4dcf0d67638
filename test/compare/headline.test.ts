import { expect, test } from 'vitest';
import { compareSides } from '../../src/compare/compare.ts';
import { outcomeOf } from '../../src/compare/outcome.ts';
import { kill, record } from '../fixtures/records.ts';
import { DEADLINE_MS, side, sideOf, trialOf } from './sides.ts';

const MARGIN = { relative: 0.05 };

test('with one deadline the mean counts a trial that never recovered with all of it', () => {
  const { rmstMs } = compareSides({ baseline: sideOf('a', {}, 50), contender: sideOf('b', { neverEvery: 50 }, 50) }, MARGIN);
  const lost = trialOf(1000, {}).kills[0]?.recovery_ms as number;
  expect(rmstMs).toMatchObject({ method: 'mean', horizon: DEADLINE_MS, n: 50 });
  expect(rmstMs?.difference).toBeCloseTo((DEADLINE_MS - lost) / 50, 6);
});

test('with other deadlines it is the area under the Kaplan–Meier curve up to the smaller one, and that is said', () => {
  const shorter = side(
    'b',
    Array.from({ length: 50 }, (_, i) => trialOf(1000 + i, {}, { deadline_ms: 60_000 })),
  );
  const { rmstMs, notes, decision } = compareSides({ baseline: sideOf('a', {}, 50), contender: shorter }, MARGIN);
  expect(rmstMs).toMatchObject({ method: 'kaplan-meier', horizon: 60_000, p: null, difference: 0 });
  expect(notes.join()).toMatch(/different deadlines: .*Kaplan–Meier.* 60 s/);
  // The pairing is not used, so that so few can't be told.
  expect(decision).toBe('inconclusive');
});

test('what takes longer than the smaller deadline never recovered, on the side that was watched longer too', () => {
  const slow = (name: string, deadline_ms: number, recovery_ms: number | null) =>
    side(
      name,
      Array.from({ length: 10 }, (_, i) => record(1000 + i, { kills: [kill(recovery_ms, true)], deadline_ms })),
    );
  const { questions } = compareSides({ baseline: slow('a', 60_000, null), contender: slow('b', 300_000, 90_000) }, MARGIN);
  expect(questions[1]).toMatchObject({ name: 'never-recovered', baseline: 1, contender: 1 });
});

test('records of older versions tell neither deadlines nor kinds of operations', () => {
  const older = (name: string) =>
    side(
      name,
      Array.from({ length: 30 }, (_, i) => {
        return trialOf(1000 + i, {}, { deadline_ms: undefined, operations_by_kind: undefined, acquisitions: undefined });
      }),
    );
  const comparison = compareSides({ baseline: older('a'), contender: older('b') }, MARGIN);
  expect(comparison).toMatchObject({ decision: 'ok', cost: null, rmstMs: { method: 'mean' } });
});

test('deciles in which most never recovered are infinite', () => {
  const { shifts } = compareSides({ baseline: sideOf('a', {}, 100), contender: sideOf('b', { neverEvery: 2 }, 100) }, MARGIN);
  expect(shifts[0]?.contender).not.toBeNull();
  expect(shifts.at(-1)).toMatchObject({ p: 0.9, contender: null, shift: null, upper: null });
});

test('a trial takes as long as its slowest kill, and not one of them may be censored', () => {
  expect(outcomeOf(record(1, { kills: [kill(100, false), kill(31_000, true)] }))).toMatchObject({
    recoveryMs: 31_000,
    leftLockBehind: true,
  });
  expect(outcomeOf(record(1, { kills: [kill(100, false), kill(null, false)] }))).toMatchObject({ recoveryMs: null, censoredMs: 300_000 });
  expect(outcomeOf(record(1, { kills: [] }))).toMatchObject({ kills: 0, recoveryMs: null, censoredMs: null });
});

test('the same work is held against itself in operations by kind', () => {
  const dear = side(
    'b',
    Array.from({ length: 20 }, (_, i) => trialOf(1000 + i, {}, { operations: 140, operations_by_kind: { open: 60, fsync: 80 } })),
  );
  const { cost } = compareSides({ baseline: sideOf('a', {}, 20), contender: dear }, MARGIN);
  expect(cost).toEqual([
    { kind: 'all', perEvent: { baseline: 100 / 3, contender: 140 / 3 }, perAcquisition: { baseline: 50, contender: 70 } },
    { kind: 'fsync', perEvent: { baseline: 40 / 3, contender: 80 / 3 }, perAcquisition: { baseline: 20, contender: 40 } },
    { kind: 'open', perEvent: { baseline: 20, contender: 20 }, perAcquisition: { baseline: 30, contender: 30 } },
  ]);
});

test('what the simulation does not control is not exact', () => {
  const loose = side(
    'b',
    Array.from({ length: 20 }, (_, i) => trialOf(1000 + i, {}, { nondeterministic: i === 3 ? ['worker thread'] : [] })),
  );
  const comparison = compareSides({ baseline: sideOf('a', {}, 20), contender: loose }, MARGIN);
  expect(comparison.seeds.exact).toBeNull();
  expect(comparison.notes.join()).toMatch(/in 1 of the pairs a kernel did what the simulation does not control/);
});

test('who breaks more is not excused by being fast', () => {
  const breaks = side(
    'b',
    Array.from({ length: 20 }, (_, i) => trialOf(1000 + i, { lease_ms: 10_000 }, i < 2 ? { verdict: 'broken' } : {})),
  );
  const { decision, notes, contender } = compareSides({ baseline: sideOf('a', {}, 20), contender: breaks }, MARGIN);
  expect({ decision, broken: contender.broken }).toEqual({ decision: 'ok', broken: 2 });
  expect(notes.join()).toMatch(/broke invariants in 2 trials, the baseline in 0/);
});
