import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunHeldError, RunLostError } from '../../src/campaign-run/run-errors.ts';
import { acquireRunLock } from '../../src/campaign-run/run-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-campaign-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const claims = () => readdirSync(join(directory, 'lock')).sort();

/** As a harness would claim it that can't be seen from here. */
function claimElsewhere(number: number, ms: number, over: object = {}) {
  mkdirSync(join(directory, 'lock'), { recursive: true });
  const claim = {
    token: 1,
    pid: 4711,
    host: 'elsewhere',
    machine: 'ffffffff',
    start_ticks: 1,
    expires_at_ms: Date.now() + ms,
    released: false,
  };
  writeFileSync(join(directory, 'lock', `${number}.claim`), JSON.stringify({ ...claim, ...over }));
}

test('one at a time; the next token is greater', async () => {
  const first = await acquireRunLock(directory);
  await expect(acquireRunLock(directory)).rejects.toThrow(RunHeldError);
  await expect(acquireRunLock(directory)).rejects.toThrow(new RegExp(`the run directory is held: process ${process.pid} on `));
  first.check();
  first.release();
  const second = await acquireRunLock(directory);
  expect(second.token).toBeGreaterThan(first.token);
  expect(() => first.check()).toThrow(RunLostError);
  // Whose lease is over can't end another's.
  first.release();
  second.check();
  second.release();
});

test('what a killed harness holds is taken over at once, without waiting for its lease', async () => {
  const holder = spawn(process.execPath, [fileURLToPath(new URL('../fixtures/run-lock/holds.ts', import.meta.url)), directory]);
  await once(holder.stdout, 'data');
  await expect(acquireRunLock(directory)).rejects.toThrow(RunHeldError);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const onWait = vi.fn<(ms: number) => void>();
  (await acquireRunLock(directory, { onWait })).release();
  expect(onWait).not.toHaveBeenCalled();
});

test('the lease of a harness that can not be seen is waited for', async () => {
  claimElsewhere(7, 200);
  const onWait = vi.fn<(ms: number) => void>();
  const lock = await acquireRunLock(directory, { onWait });
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(lock.token).toBe(8);
  lock.release();
});

test('and who renews it meanwhile is alive', async () => {
  claimElsewhere(7, 60_000);
  const acquired = acquireRunLock(directory, { ttlMs: 100, onWait: () => claimElsewhere(8, 60_000) });
  await expect(acquired).rejects.toThrow('the run directory is held: process 4711 on elsewhere');
});

test('a claim that can not be read runs out a TTL after it was written', async () => {
  mkdirSync(join(directory, 'lock'));
  writeFileSync(join(directory, 'lock', '3.claim'), '\0\0\0');
  const onWait = vi.fn<(ms: number) => void>();
  const lock = await acquireRunLock(directory, { ttlMs: 150, onWait });
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(lock.token).toBe(4);
  lock.release();
});

test('the lease is renewed, and old claims go', async () => {
  const lock = await acquireRunLock(directory, { ttlMs: 20 });
  await vi.waitFor(() => expect(Number(claims().at(-1)?.split('.')[0])).toBeGreaterThan(4), { timeout: 10_000, interval: 5 });
  expect(claims().length).toBeLessThanOrEqual(3);
  lock.check();
  lock.release();
});

test('who was robbed finds out, and does not take part any more', async () => {
  const lock = await acquireRunLock(directory);
  claimElsewhere(2, 60_000);
  expect(() => lock.check()).toThrow(/lock-stolen-mid-run: .*had stood still for longer than its lease/);
  expect(() => lock.open()).not.toThrow();
  lock.release();
  expect(claims()).toEqual(['1.claim', '2.claim']);
});
