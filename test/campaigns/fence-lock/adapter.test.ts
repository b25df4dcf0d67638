import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fenceLockAdapter as adapter, LOCK } from '../../../campaigns/fence-lock/fence-lock-adapter.ts';
import type { FenceLock } from '../../../campaigns/fence-lock/kernel/fence-lock.ts';
import { named } from '../../../campaigns/fence-lock/kernel/locks/named.ts';
import { ownerFile } from '../../../campaigns/fence-lock/kernel/locks/owner-file.ts';
import { unnamed } from '../../../campaigns/fence-lock/kernel/locks/unnamed.ts';
import { readRun } from '../../../campaigns/fence-lock/read.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'fence-lock-'));
  for (const name of ['.locks/runs', 'events']) mkdirSync(join(state, name), { recursive: true });
});
afterEach(() => rmSync(state, { recursive: true }));

const ttl_ms = 30_000;
const site = () => ({ state, now_ms: Date.now(), ttl_ms });
const make = (lock: FenceLock) =>
  lock({ file: join(state, '.locks/runs/run-1.in-band'), session: 's3', stale_ms: ttl_ms, onLost: () => expect.unreachable() });

test.each([
  ['unnamed', unnamed, {}],
  ['named', named, { session: 's3' }],
  ['owner-file', ownerFile, { session: 's3' }],
] as const)('sees what the %s lock does, and a stale one is taken', async (_, lock, holder) => {
  expect(adapter.inspect(site())).toEqual({ is: 'free' });
  const release = await make(lock).acquire();
  expect(adapter.inspect(site())).toMatchObject({ is: 'held', holder });
  await release();
  expect(adapter.inspect(site())).toEqual({ is: 'free' });
  mkdirSync(join(state, LOCK));
  await adapter.expire(site());
  await (await make(lock).acquire())();
  expect(existsSync(join(state, LOCK))).toBe(false);
});

test('a torn owner file names nobody, and an event that is no JSON can’t be read', () => {
  mkdirSync(join(state, LOCK));
  writeFileSync(join(state, LOCK, 'owner.json'), '{"pid":1');
  expect(adapter.inspect(site())).toMatchObject({ is: 'held', holder: {} });
  writeFileSync(join(state, 'events', '000001.json'), '{"fact":"attached:s1","session":"s1"}');
  writeFileSync(join(state, 'events', '000002.json'), '{');
  expect(readRun({ state })).toMatchObject({
    events: [{ id: 'attached:s1', ref: 'events/000001.json', session: 's1' }],
    unreadable: [{ path: 'events/000002.json' }],
  });
});
