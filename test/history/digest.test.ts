import { expect, test } from 'vitest';
import { digestOf } from '../../src/history/digest.ts';
import type { Entry } from '../../src/history/history.ts';

const end: Entry = { type: 'end', t_ms: 5, session: 's1', code: 1, signal: null, asked: false, reason: null };

test('what a program said last is no part of the digest, and how it ended is', () => {
  const digest = digestOf({ entries: [end] });
  expect(digestOf({ entries: [{ ...end, last_words: 'in a directory of this machine' }] })).toBe(digest);
  expect(digestOf({ entries: [{ ...end, code: 2 }] })).not.toBe(digest);
});
