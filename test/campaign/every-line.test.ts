import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { everyLine } from '../../src/campaign/every-line.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'every-line-'));
});
afterEach(() => rmSync(state, { recursive: true }));

const read = (options?: Parameters<typeof everyLine>[0]) => everyLine(options)({ state, now_ms: 0, ttl_ms: 0 }).events;

test('whole lines are events, and a file without lines is one', () => {
  mkdirSync(join(state, 'deep'));
  writeFileSync(join(state, 'deep/list'), 'a\nb\na\nhalf');
  writeFileSync(join(state, 'whole.json'), '{}');
  writeFileSync(join(state, 'empty'), '');
  expect(read()).toEqual([
    { id: 'deep/list: a', ref: 'deep/list:1' },
    { id: 'deep/list: b', ref: 'deep/list:2' },
    { id: 'deep/list: a', ref: 'deep/list:3' },
    { id: 'whole.json', ref: 'whole.json' },
  ]);
  expect(read({ by: 'place' }).map(({ id }) => id)).toEqual(['deep/list:1', 'deep/list:2', 'deep/list:3', 'whole.json']);
});

test('what is on its way is none', () => {
  mkdirSync(join(state, 'ledger.lock'));
  for (const path of ['.hidden', 'a.tmp', 'a.tmp.123', 'b.lock', 'ledger.lock/owner', 'run.pid', 'out.log', 'kept'])
    writeFileSync(join(state, path), 'x\n');
  expect(read().map(({ ref }) => ref)).toEqual(['kept:1']);
  expect(read({ skip: ['kept'] }).map(({ ref }) => ref)).not.toContain('kept:1');
});

test('nothing is there before the program has begun', () => {
  expect(read()).toEqual([]);
});
