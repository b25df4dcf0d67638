import { expect, test } from 'vitest';
import { differenceText, firstDifference } from '../../src/history/difference.ts';
import type { Entry } from '../../src/history/history.ts';

const write = (n: number, sum: string): Entry => ({
  t_ms: n,
  type: 'operation',
  session: 's1',
  n,
  kind: 'write',
  path: 'ledger',
  sum,
  changes: true,
  lock: false,
});
const paused: Entry = { t_ms: 2, type: 'paused', session: 's2' };
const between = (a: Entry[], b: Entry[]) => {
  const difference = firstDifference({ entries: a }, { entries: b });
  return difference && differenceText(difference);
};

test('histories that are alike have no difference, whatever the order of their keys', () => {
  const turned = Object.fromEntries(Object.entries(write(1, 'a')).toReversed()) as Entry;
  expect(between([write(1, 'a')], [turned])).toBe(null);
});

test.each([
  ['a field', [write(1, 'a'), write(2, 'b')], [write(1, 'a'), write(2, 'c')], 's1 at 0.002 s, entry 1: write ledger, sum "b" and then "c"'],
  ['what happened', [write(1, 'a'), write(2, 'b')], [write(1, 'a'), paused], 's1 at 0.002 s, entry 1: write ledger, and then paused'],
  ['more', [write(1, 'a')], [write(1, 'a'), paused], 's2 at 0.002 s, entry 1: paused in the repetition only'],
  ['less', [write(1, 'a'), paused], [write(1, 'a')], 's2 at 0.002 s, entry 1: paused not in the repetition'],
])('the first difference: %s', (_, before, after, text) => {
  expect(between(before, after)).toBe(text);
});
