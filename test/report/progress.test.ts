import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openProgress } from '../../src/report/progress.ts';
import { trial } from './run.ts';

function progressOn(stream: PassThrough, trials: number) {
  const progress = openProgress(stream, () => 0);
  progress.event({ type: 'golden', done: 1, total: 1, record: trial({ seed: 0 }) });
  for (let done = 1; done <= trials; done += 1) {
    progress.event({ type: 'trial', done, total: trials, record: trial({ seed: done, verdict: done === 3 ? 'broken' : 'held' }) });
  }
  progress.end();
  return String(stream.read());
}

test('into a pipe: a line for each tenth, and not one control character', () => {
  const text = progressOn(new PassThrough(), 25);
  expect(text.split('\n')).toHaveLength(9 + 1);
  expect(text).toMatch(/^trials {2}3\/25 {2}2 held, 1 broken, 0 void {2}0 ms\n/);
  expect(text).toMatch(/trials {2}25\/25 {2}24 held, 1 broken, 0 void {2}0 ms\n$/);
  expect(text).not.toMatch(/[\r\u001b]/);
});

test('on a terminal: one line that is written over, and cleared in the end', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 1 });
  const text = progressOn(terminal, 25);
  expect(text).not.toContain('\n');
  expect(text).toContain('\r\u001b[2Ktrials  25/25');
  expect(text).toMatch(/\r\u001b\[2K$/);
});
