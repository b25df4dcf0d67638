import { expect, test } from 'vitest';
import invariant from '../../src/invariants/no-duplicate-events.ts';
import { event, history, killAndTakeover, lost } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const again = event(33_402, 'transcribed:1', 'ledger/2.jsonl:2', 's2', 2);

test('names both places, writers and times', () => {
  expect(messages([...killAndTakeover, again])).toEqual([
    'transcribed:1 is there twice: ledger/1.jsonl:1 by s1 at 1.000 s and ledger/2.jsonl:2 by s2 at 33.402 s',
  ]);
  const third = event(33_500, 'transcribed:1', 'ledger/2.jsonl:3', null, null);
  expect(messages([...killAndTakeover, again, third])[0]).toMatch(/^transcribed:1 is there 3 times: .* and ledger\/2.jsonl:3 at 33.500 s$/);
});

test('an event that was moved is none', () => {
  expect(messages([...killAndTakeover, again, lost(33_403, 'transcribed:1', 'ledger/1.jsonl:1')])).toEqual([]);
});

test('is seen by what is accepted at the end, even if nobody saw it come', () => {
  const events = ['l:1', 'l:2'].map((ref) => ({ id: 'a', ref }));
  expect(messages([], { events })).toEqual(['a is there twice: l:1 at 0.001 s and l:2 at 0.001 s']);
});

test('without a last look, what stands is what was seen and not lost', () => {
  expect(invariant.check(history(...killAndTakeover, again))).toHaveLength(1);
  expect(invariant.check(history(...killAndTakeover, again, lost(34_000, 'transcribed:1', 'ledger/2.jsonl:2')))).toEqual([]);
});
