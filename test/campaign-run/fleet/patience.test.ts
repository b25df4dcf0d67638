import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPatience } from '../../../src/campaign-run/fleet/patience.ts';
import type { Posting } from '../../../src/campaign-run/fleet/posting.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is said in the first 11 s and in the next minute while so many workers are there, of which one is at a trial. */
function saidWith(workers: number, verify: number | null): string[] {
  const notes: string[] = [];
  const patience = openPatience({
    posting: { request: { verify } } as Posting,
    patienceMs: 600_000,
    runDirectory: 'run',
    command: 'start-one',
    onNote: (text) => notes.push(text),
  });
  const there = Array.from({ length: workers }, (_, i) => ({ name: `host:${i}`, refuses: null, running: i === 0 ? 1 : 0 }));
  for (const ms of [9_000, 2_000, 2_000, 60_000]) {
    vi.advanceTimersByTime(ms);
    expect(patience.look(there, true)).toBeNull();
  }
  return notes;
}

test('that too few workers are there is said after 10 s, and then every minute', () => {
  const none = (left_s: number) => `no worker is there to take trials; the run waits ${left_s} s for one. Start it: start-one`;
  expect(saidWith(0, null)).toEqual([none(589), none(527)]);
  expect(saidWith(1, null)).toEqual([]);
});

test('with --verify one is too few, although it is at work', () => {
  const one = 'one worker is there, and --verify needs a second; the run waits 600 s for one. Start it: start-one';
  expect(saidWith(1, 0.01)).toEqual([one, one]);
  expect(saidWith(2, 0.01)).toEqual([]);
});
