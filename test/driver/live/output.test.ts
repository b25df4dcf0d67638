import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_LENGTH_MAX, lastReason, lastWords, lineSplitter } from '../../../src/driver/live/output.ts';

function linesOf(pieces: string[]): string[] {
  const lines: string[] = [];
  const split = lineSplitter((line) => lines.push(line));
  pieces.forEach(split);
  return lines;
}

test('lines do not depend on how the text was cut into pieces', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', ''), { maxLength: 30 });
  fc.assert(
    fc.property(text, (pieces) => {
      const whole = pieces.join('').split('\n').slice(0, -1);
      expect(linesOf(pieces)).toEqual(whole.map((line) => line.replace(/\r$/, '')));
    }),
  );
});

test('a line beyond the limit is left out, and the next one is not', () => {
  expect(linesOf(['x'.repeat(LINE_LENGTH_MAX), 'x', '\nnext\n'])).toEqual(['next']);
  expect(linesOf(['x'.repeat(LINE_LENGTH_MAX), '\nnext\n'])).toEqual(['x'.repeat(LINE_LENGTH_MAX), 'next']);
});

test('the last reason counts, and the longer of two that end in one place', () => {
  expect(lastReason('lock-busy … lock-stolen-mid-run … bye', ['lock-stolen-mid-run', 'lock-busy'])).toBe('lock-stolen-mid-run');
  expect(lastReason('lock-stolen-mid-run', ['lock-stolen', 'lock-stolen-mid-run'])).toBe('lock-stolen-mid-run');
  expect(lastReason('nothing', ['lock-busy'])).toBe(null);
});

test.each([
  [
    'an error of Node',
    "/k.mjs:3\nthrow new Error('x')\n^\n\nError: no config\n    at file:///k.mjs:3:7 {\n  code: 'X'\n}\n\nNode.js v24.21.0\n",
    'Error: no config',
  ],
  ['an error of Python', 'Traceback (most recent call last):\n  File "k.py", line 1\nValueError: no config\n', 'ValueError: no config'],
  ['one line', 'usage: kernel FILE\r\n', 'usage: kernel FILE'],
  ['silence', '\n\n', null],
  ['an error about two long paths', `Error: ${'x'.repeat(500)}`, `Error: ${'x'.repeat(500)}`],
  ['a flood', 'x'.repeat(5000), 'x'.repeat(1000)],
])('last words: %s', (_, text, words) => {
  expect(lastWords(text)).toBe(words);
});
