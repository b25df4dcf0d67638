import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestOfState, readCrashState, tornState } from '../../src/search/crash-state.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-state-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const digest = () => digestOfState(readCrashState(directory));
const path = (name: string) => join(directory, name);

test('a state is its paths, kinds and contents, and no times', () => {
  writeFileSync(path('a'), 'one');
  const before = digest();
  utimesSync(path('a'), 1, 1);
  expect(digest()).toBe(before);

  const changes = [
    () => writeFileSync(path('a'), 'two'),
    () => writeFileSync(path('b'), ''),
    () => mkdirSync(path('c')),
    () => symlinkSync('a', path('d')),
    () => rmSync(path('a')),
    () => mkdirSync(path('a')),
  ];
  const seen = [before, ...changes.map((change) => (change(), digest()))];
  expect(new Set(seen).size).toBe(seen.length);
});

test('what one file has more of is not taken for what the next begins with', () => {
  writeFileSync(path('a'), 'xy');
  writeFileSync(path('b'), 'z');
  const before = digest();
  writeFileSync(path('a'), 'x');
  writeFileSync(path('b'), 'yz');
  expect(digest()).not.toBe(before);
});

test('a write that is cut off leaves the first of its bytes', () => {
  writeFileSync(path('a'), 'old');
  const before = readCrashState(directory);
  writeFileSync(path('a'), 'oldnew');
  const after = readCrashState(directory);
  const torn = tornState(before, after, { path: 'a', bytes: 3 }, 2);
  writeFileSync(path('a'), 'oldne');
  expect(torn && digestOfState(torn)).toBe(digest());
});

test('where a write did more than append, nothing is said of it', () => {
  writeFileSync(path('a'), 'old');
  const before = readCrashState(directory);
  const after = (content: string) => {
    writeFileSync(path('a'), content);
    return readCrashState(directory);
  };
  expect(tornState(before, after('new'), { path: 'a', bytes: 3 }, 1)).toBeNull();
  expect(tornState(before, after('xldnew'), { path: 'a', bytes: 3 }, 1)).toBeNull();
  expect(tornState(before, after('oldnew'), { path: 'gone', bytes: 3 }, 1)).toBeNull();
});
