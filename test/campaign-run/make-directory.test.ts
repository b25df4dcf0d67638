import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDirectory } from '../../src/campaign-run/make-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-campaign-make-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a directory is made with those above it, and may be there', () => {
  const path = join(directory, 'a/b/c');
  makeDirectory(path);
  makeDirectory(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test.each([
  ['where nothing can be made', () => '/proc/foo', 'ENOENT'],
  ['below that', () => '/proc/foo/bar', 'ENOENT'],
  ['below a file', () => '/dev/null/x', 'ENOTDIR'],
  ['in place of a file', () => join(directory, 'file'), 'EEXIST'],
  ['in place of a link that leads nowhere', () => join(directory, 'dangling'), 'EEXIST'],
  ['below such a link', () => join(directory, 'dangling/x'), 'EEXIST'],
  ['with too long a name', () => join(directory, 'x'.repeat(300)), 'ENAMETOOLONG'],
])('%s it is an error, and comes to an end', (_, path, code) => {
  writeFileSync(join(directory, 'file'), '');
  symlinkSync(join(directory, 'nowhere'), join(directory, 'dangling'));
  expect(() => makeDirectory(path())).toThrow(expect.objectContaining({ code }));
});
