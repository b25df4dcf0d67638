import { expect, test } from 'vitest';
import { count, duration, durationRange } from '../../src/report/duration.ts';

test.each([
  [null, '–'],
  [0, '0 ms'],
  [0.44, '0.4 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [412.3, '412 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [31_740, '31.7 s'],
  [99_940, '99.9 s'],
  [99_960, '100 s'],
  [119_600, '2 m 00 s'],
  [125_000, '2 m 05 s'],
  [3_599_600, '1 h 00 m'],
  [3_725_000, '1 h 02 m'],
  [-250, '-250 ms'],
])('%s ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('a range that prints alike is one value', () => {
  expect(durationRange({ min: 30_100, max: 31_100 })).toBe('30.1 s – 31.1 s');
  expect(durationRange({ min: 412.1, max: 412.2 })).toBe('412 ms');
  expect(durationRange({ min: null, max: null })).toBe('–');
});

test('counts', () => {
  expect(count(1, 'trial')).toBe('1 trial');
  expect(count(2000, 'trial')).toBe('2,000 trials');
});
