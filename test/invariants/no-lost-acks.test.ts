import { expect, test } from 'vitest';
import invariant from '../../src/invariants/no-lost-acks.ts';
import { ended, event, facts, history, killAndTakeover, killed, lost, operation, say } from '../fixtures/histories.ts';
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

const again = (t_ms: number) => event(t_ms, 'transcribed:1', 'ledger/2.jsonl:1', 's2', 2);

test('one that was lost and written again by a successor: who was told of it was told a lie', () => {
  const entries = [...killAndTakeover, lost(33_200, 'transcribed:1', 'ledger/1.jsonl:1'), again(33_300)];
  expect(messages(entries)).toEqual([
    's1 acknowledged transcribed:1 at 1.001 s, and it was gone from ledger/1.jsonl:1 at 33.200 s, until it was written again',
  ]);
  expect(invariant.check({ trial: { ...facts, driver: 'live' }, entries })).toEqual([]);
});

test('one that was told of before it was there', () => {
  const [early, late] = [say(33_200, 's2', 'ack', 'completed'), event(33_300, 'completed', 'ledger/2.jsonl:9', 's2', 2)];
  expect(messages([early, late])).toEqual(['s2 acknowledged completed at 33.200 s, and it was not there then']);
  expect(messages([{ ...late, t_ms: 33_100 }, early])).toEqual([]);
});

test('one that moves to another file is there all the time', () => {
  expect(messages([...killAndTakeover, again(33_200), lost(33_200, 'transcribed:1', 'ledger/1.jsonl:1')])).toEqual([]);
});

/** An event is acknowledged; then the file that it stands in is emptied, and something happens before it is there again. */
const rewritten = (...between: Parameters<typeof history>) => [
  event(1, 'theme', 'config.json theme', 's1', null),
  say(2, 's1', 'ack', 'theme'),
  operation(3, 's1', { path: 'config.json', changes: true }),
  lost(3, 'theme', 'config.json theme'),
  ...between,
  operation(9, 's1', { kind: 'write', path: 'config.json', changes: true }),
  event(9, 'theme', 'config.json theme', 's1', null),
];

test('one whose file is being written anew is not lost, unless anything comes in between', () => {
  expect(messages(rewritten())).toEqual([]);
  const isLost = ['s1 acknowledged theme at 0.002 s, and it was gone from config.json theme at 0.003 s, until it was written again'];
  expect(messages(rewritten(killed(4, 's1'), ended(4, 's1', 9)))).toEqual(isLost);
  expect(messages(rewritten(operation(4, 's1', { path: 'other' })))).toEqual(isLost);
  expect(messages(rewritten(operation(4, 's2', { path: 'config.json' })))).toEqual(isLost);
  expect(messages(rewritten(say(4, 's1', 'ack', 'zoom')))).toContain(isLost[0]);
});
