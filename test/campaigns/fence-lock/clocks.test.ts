import { expect, test } from 'vitest';
import { kill, record, voided } from '../../fixtures/records.ts';
import { agrees, isComparable, type Pair, pairsOf } from './clocks.ts';

const took = (seed: number, ms: number | null, left = true) => record(seed, { kills: [kill(ms, left)] });

test('trials of one plan that say something on both clocks are compared', () => {
  const virtual = [took(1, 30_000), took(2, 30_000), voided(3), took(4, 30_000), took(5, null), took(6, 40, false), took(7, 40, false)];
  const real = [
    took(7, 50, false),
    took(6, 29_500),
    took(1, 30_400),
    record(2, { plan: 's1@op#6:kill' }),
    took(3, 30_000),
    voided(4),
    took(5, 30_000),
  ];
  const pairs = pairsOf(virtual, real);
  expect(pairs).toMatchObject([
    { seed: 1, virtual_ms: 30_000, real_ms: 30_400, left: { virtual: true, real: true } },
    { seed: 6, left: { virtual: false, real: true } },
    { seed: 7, left: { virtual: false, real: false } },
  ]);
  expect(pairs.map(isComparable)).toEqual([true, false, false]);
});

test.each([
  [30_000, 31_500, 0, true],
  [30_000, 31_600, 0, false],
  [30_000, 28_600, 0, true],
  [30_000, 28_400, 200, false],
  [30_000, 31_600, 200, true],
  [40, 240, 200, true],
  [40, 260, 200, false],
])('%i ms virtual, %i ms real, a process starts in %i ms: %s', (virtual_ms, real_ms, start_ms, isSame) => {
  const pair: Pair = { scenario: 'killed-holder', subject: 'named', seed: 1, left: { virtual: true, real: true }, virtual_ms, real_ms };
  expect(agrees(pair, start_ms)).toBe(isSame);
});
