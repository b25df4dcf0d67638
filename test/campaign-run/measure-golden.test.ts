import { expect, test } from 'vitest';
import { measureGolden } from '../../src/campaign-run/measure-golden.ts';
import { noLock } from '../../src/locks/no-lock.ts';
import { event, history, lost, operation, spawn } from '../fixtures/histories.ts';

test('a fact that is seen again, because its file was written anew, is one', () => {
  const [written, emptied] = [operation(1, 's1', { kind: 'write', changes: true }), operation(3, 's1', { changes: true })];
  const theme = (t_ms: number) => event(t_ms, 'theme', 'config.json theme', 's1', null);
  const seen = history(spawn(0, 's1'), written, theme(1), emptied, lost(3, 'theme', 'config.json theme'), written, theme(5));
  const { events, operations } = measureGolden(seen, noLock);
  expect(events).toBe(1);
  expect(operations.map((one) => one.events)).toEqual([1, 0, 1]);
});
