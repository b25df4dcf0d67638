import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunLock } from '../../src/campaign-run/run-lock.ts';
import { openRunStore } from '../../src/campaign-run/run-store.ts';

/* What the files do by themselves, when the lock is no help. The campaign run-directory tries it together with the lock, at every operation. */

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-campaign-store-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const trials = () => readFileSync(join(directory, 'trials.ndjson'), 'utf8');
/** Of a holder that never finds out. */
const blind = (token: number): RunLock => ({ token, check() {}, open() {}, release() {} });

test('what is appended and published is there for the next one', async () => {
  const store = await openRunStore(directory, blind(1));
  await Promise.all(['{"n":1}', '{"n":2}', '{"n":3}'].map((line) => store.append(line)));
  await store.publish('run.json', 'first');
  await store.publish('run.json', 'second');
  await store.close();
  const next = await openRunStore(directory, blind(2));
  await next.append('{"n":4}');
  await next.close();
  expect(next.torn).toBe(false);
  expect(trials()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n');
  expect(readFileSync(join(directory, 'run.json'), 'utf8')).toBe('second');
  expect(readdirSync(directory).sort()).toEqual(['run.json', 'trials.ndjson']);
});

test('a robbed holder appends to a file that nobody reads any more', async () => {
  const robbed = await openRunStore(directory, blind(1));
  await robbed.append('{"n":1}');
  const successor = await openRunStore(directory, blind(2));
  await robbed.append('{"late":true}');
  await successor.append('{"n":2}');
  expect(trials()).toBe('{"n":1}\n{"n":2}\n');
  await Promise.all([robbed.close(), successor.close()]);
});

test('what a robbed holder has prepared and not published is taken away', async () => {
  writeFileSync(join(directory, 'run.json.1.tmp'), '{"finished":true}');
  const store = await openRunStore(directory, blind(2));
  expect(readdirSync(directory)).toEqual(['trials.ndjson']);
  await store.close();
});

test('what is not its own is left', async () => {
  const own = ['notes.tmp', 'run.json.tmp', 'trials.ndjson.old.tmp', 'other.json.1.tmp'];
  for (const name of own) writeFileSync(join(directory, name), 'x');
  mkdirSync(join(directory, 'x.tmp'));
  mkdirSync(join(directory, 'run.json.1.tmp'));
  const store = await openRunStore(directory, blind(2));
  expect(readdirSync(directory).sort()).toEqual([...own, 'run.json.1.tmp', 'trials.ndjson', 'x.tmp'].sort());
  await store.close();
});

describe('the end of what a crash left', () => {
  const long = JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024) });
  test.each([
    ['nothing', '', '', false],
    ['whole lines', '{"n":1}\n{"n":2}\n', '{"n":1}\n{"n":2}\n', false],
    ['half a line', '{"n":1}\n{"n":', '{"n":1}\n', true],
    ['half of the only line', '{"n":', '', true],
    ['a whole line but for its end', '{"n":1}\n{"n":2}', '{"n":1}\n', true],
    ['zeros for a line', '{"n":1}\n\0\0\0\0', '{"n":1}\n', true],
    ['zeros and an end', '{"n":1}\n\0\0\0\n', '{"n":1}\n', true],
    ['a line longer than what is read at once', `{"n":1}\n${long}\n`, `{"n":1}\n${long}\n`, false],
    ['half of such a line', `{"n":1}\n${long}`, '{"n":1}\n', true],
  ])('%s', async (_, before, after, torn) => {
    writeFileSync(join(directory, 'trials.ndjson'), before);
    const store = await openRunStore(directory, blind(1));
    await store.close();
    expect({ torn: store.torn, same: trials() === after }).toEqual({ torn, same: true });
  });
});
