import { expect, test } from 'vitest';
import invariant from '../../src/invariants/state-parses.ts';
import { killAndTakeover } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);
const torn = { path: 'sidecar/2.json', why: 'unexpected end of input' };

test('a file that was unreadable, if only for a while', () => {
  expect(messages([...killAndTakeover, { type: 'unreadable', t_ms: 40_000, ...torn }])).toEqual([
    "sidecar/2.json can't be read at 40.000 s: unexpected end of input",
  ]);
});

test('a file that is at the end; each file once', () => {
  const unreadable = [torn, { path: 'sidecar/3.json', why: 'empty' }];
  expect(messages(killAndTakeover, { unreadable })).toHaveLength(2);
  expect(messages([...killAndTakeover, { type: 'unreadable', t_ms: 40_000, ...torn }], { unreadable })).toHaveLength(2);
});
