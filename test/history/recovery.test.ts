import { expect, test } from 'vitest';
import type { Entry } from '../../src/history/history.ts';
import { recoveriesOf } from '../../src/history/recovery.ts';
import { died, ended, event, fault, history, killed, lock, spawn } from '../fixtures/histories.ts';

const recovery = (...entries: Entry[]) => recoveriesOf(history(...entries))[0];
const kill = [spawn(0, 's1'), lock(1, 'acquired', 's1', 1), killed(20, 's1', 29_000), died(20, 's1'), spawn(20, 's2', 's1')];

test('an event of the killed session that shows late is no recovery', () => {
  expect(recovery(...kill, event(30, 'a', 'l:1', 's1', 1), event(50, 'b', 'l:2', 's2', 2))).toMatchObject({ recovery_ms: 30 });
});

test('nor is a session that ends otherwise than with the work done', () => {
  expect(recovery(...kill, ended(30, 's2', 1, 'lock-busy'), ended(50, 's3'))).toMatchObject({ recovery_ms: 30 });
});

test('a lock that another dead session left is not held already', () => {
  const other = [spawn(0, 's0'), lock(0, 'acquired', 's0', 1), killed(5, 's0', 29_000), died(5, 's0'), spawn(6, 's1'), killed(20, 's1')];
  const after = [lock(30_100, 'acquired', 's2', 2), event(30_200, 'b', 'l:2', 's2', 2)];
  expect(recoveriesOf(history(...other, ...after))[1]).toMatchObject({ takeover_ms: 30_080, progress_ms: 100 });
});

test('the harness takes nothing over', () => {
  const stolen = [lock(30, 'stolen', null, 2), lock(30_100, 'acquired', 's2', 3), event(30_200, 'b', 'l:2', 's2', 3)];
  expect(recovery(...kill, ...stolen)).toMatchObject({ takeover_ms: 30_080, progress_ms: 100, recovery_ms: 30_180 });
});

test('who finds the work done need not have taken the lock', () => {
  expect(recovery(...kill, ended(60, 's2'), lock(90, 'acquired', 's3', 2))).toMatchObject({
    takeover_ms: null,
    progress_ms: null,
    recovery_ms: 40,
  });
});

test('the operation is that of the fault that killed it', () => {
  const earlier = fault(10, 0, 's1@op#2:pause=1s', 's1', { operation: 'stat lock' });
  const killer = fault(20, 1, 's1@op#5:kill', 's1', { operation: 'rename ledger' });
  expect(recovery(spawn(0, 's1'), earlier, killed(20, 's1'), killer, died(20, 's1'))).toMatchObject({ operation: 'rename ledger' });
  expect(recovery(spawn(0, 's1'), earlier, killer, killed(20, 's1'), died(20, 's1'))).toMatchObject({ operation: 'rename ledger' });
  expect(recovery(spawn(0, 's1'), killed(20, 's1'), died(20, 's1'))).toMatchObject({ operation: null });
});
