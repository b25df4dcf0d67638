import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEPT_BYTES_MAX, openWorkspace, sweepWorkspaces } from '../../src/driver/workspace.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'workspace-test-'));
});
afterEach(() => rm(root, { recursive: true }));

test('every trial gets directories of its own, with paths of one length', async () => {
  const [one, two] = [await openWorkspace({ root }), await openWorkspace({ root })];
  expect(one.directory).not.toBe(two.directory);
  expect(one.state.length).toBe(two.state.length);
  expect(await readdir(one.directory)).toEqual(['logs', 'state']);
  await one.remove();
  expect(await readdir(root)).toEqual([basename(two.directory)]);
});

test('what is kept is all of state and logs, links as links, and a word on what could not be', async () => {
  const workspace = await openWorkspace({ root });
  await writeFile(join(workspace.logs, 's1.out'), 'said');
  await mkdir(join(workspace.state, 'deep/empty'), { recursive: true });
  await writeFile(join(workspace.state, 'deep/ledger'), 'one\n');
  await symlink('/nowhere', join(workspace.state, 'link'));
  const server = createServer().listen(join(workspace.state, 'socket'));
  await once(server, 'listening');
  const to = join(root, 'run/trial');
  await workspace.keep(to);
  server.close();

  expect(await readFile(join(to, 'logs/s1.out'), 'utf8')).toBe('said');
  expect(await readFile(join(to, 'state/deep/ledger'), 'utf8')).toBe('one\n');
  expect(await readdir(join(to, 'state/deep'))).toEqual(['empty', 'ledger']);
  expect(await readlink(join(to, 'state/link'))).toBe('/nowhere');
  expect(await readFile(join(to, 'LEFT-OUT.txt'), 'utf8')).toBe('Not kept:\nstate/socket: neither a file nor a directory\n');
});

test('what is kept is bounded', async () => {
  const workspace = await openWorkspace({ root });
  for (const [name, bytes] of [
    ['a', 1000],
    ['b', KEPT_BYTES_MAX],
    ['c', 1000],
  ] as const) {
    await writeFile(join(workspace.state, name), '');
    await truncate(join(workspace.state, name), bytes);
  }
  const to = join(root, 'kept');
  await workspace.keep(to);
  expect(await readdir(join(to, 'state'))).toEqual(['a', 'c']);
  expect(await readFile(join(to, 'LEFT-OUT.txt'), 'utf8')).toContain(
    `state/b: its ${KEPT_BYTES_MAX} bytes would go beyond ${KEPT_BYTES_MAX}`,
  );
});

test('what a killed owner left is removed, and nothing else', async () => {
  const own = await openWorkspace({ root });
  const owner = spawn(process.execPath, [fileURLToPath(new URL('../fixtures/live/workspace-owner.ts', import.meta.url)), root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const directory = String((await once(owner.stdout, 'data'))[0]).trim();
  // Of another machine, and of nobody that we know.
  const foreign = directory.replace(/crash-campaign-[0-9a-f]{8}/, 'crash-campaign-00000000');
  await mkdir(foreign);
  await mkdir(join(root, 'crash-campaign-of-the-user'));
  expect(await sweepWorkspaces(root)).toEqual([]);

  owner.kill('SIGKILL');
  await once(owner, 'exit');
  // Whoever has the owner's pid now started at another time.
  const heir = own.directory.replace(/-[0-9a-z]{9}-(\w{6})$/, '-000000001-$1');
  await rename(own.directory, heir);
  expect((await sweepWorkspaces(root)).sort()).toEqual([directory, heir].sort());
  expect(existsSync(directory)).toBe(false);
  expect((await readdir(root)).sort()).toEqual([basename(foreign), 'crash-campaign-of-the-user']);
});
