import { expect, test } from 'vitest';
import invariant from '../../src/invariants/no-debris.ts';
import { killAndTakeover } from '../fixtures/histories.ts';
import { messagesOf } from '../fixtures/messages.ts';

const messages = messagesOf(invariant);

test('what a finished run left behind', () => {
  expect(messages(killAndTakeover, { debris: ['a.tmp', 'b.tmp'] })).toEqual([
    'a.tmp is left behind, though the work is finished',
    'b.tmp is left behind, though the work is finished',
  ]);
});

test('an unfinished run may leave what it likes', () => {
  expect(messages(killAndTakeover.slice(0, -1), { debris: ['a.tmp'] })).toEqual([]);
});
