import { expect, test } from 'vitest';
import { measureGolden } from '../../src/campaign-run/measure-golden.ts';
import { noLock } from '../../src/locks/no-lock.ts';
import { event, lost, operation, spawn, whole } from '../fixtures/histories.ts';

const write = (t_ms: number) => operation(t_ms, 's1', { kind: 'write', changes: true });
const theme = (t_ms: number) => event(t_ms, 'theme', 'config.json theme', 's1', null);

test('a fact that is seen again, because its file was written anew, is one', () => {
  const seen = whole([
    spawn(0, 's1'),
    write(1),
    theme(1),
    operation(3, 's1', { changes: true }),
    lost(3, 'theme', 'config.json theme'),
    write(5),
    theme(5),
  ]);
  const { events, operations } = measureGolden(seen, noLock);
  expect(events).toBe(1);
  expect(operations.map((one) => one.events)).toEqual([1, 0, 1]);
});

test('what came and went, because it was on its way to a fact, is none', () => {
  const draft = event(1, 'draft', 'config.json.tmp draft', 's1', null);
  const seen = whole([spawn(0, 's1'), write(1), draft, write(2), lost(2, 'draft', 'config.json.tmp draft'), theme(2)]);
  expect(measureGolden(seen, noLock).events).toBe(1);
});
