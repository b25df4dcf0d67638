import { expect, test } from 'vitest';
import invariant from '../../src/invariants/no-lost-acks.ts';
import { killAndTakeover, lost, say } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);

test('an acknowledged event that was lost', () => {
  expect(messages([...killAndTakeover, lost(33_200, 'transcribed:1', 'ledger/1.jsonl:1')])).toEqual([
    's1 acknowledged transcribed:1 at 1.001 s, and it is not there at the end: gone from ledger/1.jsonl:1 since 33.200 s',
  ]);
});

test('one that never was', () => {
  expect(messages([...killAndTakeover, say(33_200, 's2', 'ack', 'transcribed:9')])).toEqual([
    's2 acknowledged transcribed:9 at 33.200 s, and it is not there at the end: never seen',
  ]);
});

test('an event that was lost and never acknowledged is nobody’s business', () => {
  expect(messages(killAndTakeover.filter(({ type }) => type !== 'said').concat(lost(33_200, 'transcribed:1', 'ledger/1.jsonl:1')))).toEqual(
    [],
  );
});
