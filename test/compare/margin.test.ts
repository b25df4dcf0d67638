import { expect, test } from 'vitest';
import { decide, parseMargin, toleratedMs } from '../../src/compare/margin.ts';

test.each([
  ['10%', { relative: 0.1 }],
  ['2.5%', { relative: 0.025 }],
  ['500ms', { absoluteMs: 500 }],
  ['1.5s', { absoluteMs: 1500 }],
  ['2m', { absoluteMs: 120_000 }],
  ['0%', { relative: 0 }],
  ['10', null],
  ['-5%', null],
  ['five', null],
  ['', null],
])('%j', (text, margin) => {
  expect(parseMargin(text)).toEqual(margin);
});

test('a share is of what the baseline takes', () => {
  expect(toleratedMs({ relative: 0.1 }, 30_000)).toBe(3000);
  expect(toleratedMs({ absoluteMs: 500 }, 30_000)).toBe(500);
});

test.each([
  [11, 20, 'regressed'],
  [10, 20, 'inconclusive'],
  [-5, 11, 'inconclusive'],
  [-5, 10, 'ok'],
  [-20, -10, 'ok'],
  [null, 5, 'ok'],
  [11, null, 'regressed'],
  [null, null, 'inconclusive'],
] as const)('from %j to %j where 10 is tolerated: %s', (lower, upper, decision) => {
  expect(decide({ lower, upper }, 10)).toBe(decision);
});
