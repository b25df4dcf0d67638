import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exterminate, family, isPresent, look, type Process, signal } from '../../../src/driver/live/processes.ts';

let child: ChildProcess;
let found: Process;

beforeEach(() => {
  child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  found = look(child.pid ?? 0) as Process;
});
afterEach(() => child.kill('SIGKILL'));

test('a process is shown with its place among others', () => {
  expect(found).toMatchObject({ pid: child.pid, ppid: process.pid, group: child.pid, session: child.pid });
  expect(found.startTicks).toBeGreaterThanOrEqual(look('self')?.startTicks ?? Infinity);
});

test('one that came to have the same pid is not signalled', async () => {
  const before = { ...found, startTicks: found.startTicks - 1 };
  expect([isPresent(found), isPresent(before)]).toEqual([true, false]);
  const exit = once(child, 'exit');
  signal(before, 'SIGKILL');
  signal(before, 'SIGKILL', 'group');
  signal(found, 'SIGTERM');
  expect(await exit).toEqual([null, 'SIGTERM']);
});

test('a family without a leader is known by its tag alone, and a tag in the arguments is none', () => {
  expect(family([{ tag: 'no-such-tag-anywhere', leader: null }])).toEqual([]);
  expect(family([{ tag: 'no-such-tag-anywhere', leader: found }]).map(({ pid }) => pid)).toEqual([child.pid]);
});

test('extermination leaves none, and returns at once when there is none', async () => {
  await exterminate(() => [{ tag: 'no-such-tag-anywhere', leader: found }]);
  expect(look(found.pid)?.state ?? 'Z').toBe('Z');
  await exterminate(() => []);
});
