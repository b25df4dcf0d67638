import { expect, test } from 'vitest';
import { parseSeeds, SEED_MAX, SEEDS_MAX } from '../../src/campaign/seeds.ts';

test('ranges and single seeds, in the order given', () => {
  expect(parseSeeds('1000-1003,5')).toEqual([1000, 1001, 1002, 1003, 5]);
  expect(parseSeeds(' 7 , 1 - 2 ')).toEqual([7, 1, 2]);
  expect(parseSeeds([3, 1])).toEqual([3, 1]);
  expect(parseSeeds(`0,${SEED_MAX}`)).toEqual([0, SEED_MAX]);
});

test.each([
  ['', /at least one seed/],
  ['  ', /at least one seed/],
  ['1,,2', /"" in it.*whole numbers and ranges/],
  ['ten', /"ten" in it.*whole numbers and ranges/],
  ['-5', /whole numbers and ranges/],
  ['1.5', /whole numbers and ranges/],
  ['1-2-3', /whole numbers and ranges/],
  ['1029-1000', /smaller seed of a range first: 1000-1029/],
  ['1-5,3', /Seed 3 is in it twice/],
  [String(SEED_MAX + 1), /from 0 to 4294967295/],
  [`0-${SEEDS_MAX}`, /at most 1000000 seeds/],
  [[], /at least one seed/],
  [[1, 1], /Seed 1 is in it twice/],
  [[0.5], /0.5 in it.*whole numbers/],
])('%j', (seeds, message) => {
  expect(() => parseSeeds(seeds, '--seeds')).toThrow(message);
  expect(() => parseSeeds(seeds, '--seeds')).toThrow(/^--seeds is /);
});

test('the most seeds that there may be', () => {
  expect(parseSeeds(`1-${SEEDS_MAX}`)).toHaveLength(SEEDS_MAX);
});
