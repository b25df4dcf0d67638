import { expect, test } from 'vitest';
import { transcriptIsComplete } from '../../../campaigns/ingest/transcript-is-complete.ts';
import type { Entry } from '../../../src/history/history.ts';
import { ended, event, history, lost, spawn } from '../../fixtures/histories.ts';

const EVENTS = ['planned', 'transcribed:1', 'transcribed:2', 'transcribed:3', 'completed'].map((id, i) =>
  event(10 + i, id, `ledger/1.jsonl:${i + 1}`, 's1', 1),
);
const messages = (...entries: Entry[]) =>
  transcriptIsComplete(3)
    .check(history(spawn(0, 's1'), ...EVENTS, ...entries))
    .map(({ message }) => message);

test('holds when everything is there, and when nobody has said that the work is finished', () => {
  expect(messages(ended(30, 's1'))).toEqual([]);
  expect(messages(lost(20, 'transcribed:2', 'ledger/1.jsonl:3'))).toEqual([]);
});

test('breaks when something is missing that nobody was told of', () => {
  expect(messages(lost(20, 'transcribed:2', 'ledger/1.jsonl:3'), ended(30, 's1'))).toEqual([
    'transcribed:2 is missing at the end, though the work is finished',
  ]);
});
