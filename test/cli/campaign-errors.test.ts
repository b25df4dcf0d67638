import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TOY = join(ROOT, 'test/fixtures/cli/toy');
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-errors-'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Runs the toy campaign with one text of its files replaced by another. */
async function runEdited(file: string, from: string | RegExp, to: string, ...more: string[]) {
  const folder = await mkdtemp(join(directory, 'toy-'));
  await cp(TOY, folder, { recursive: true });
  const text = await readFile(join(folder, file), 'utf8');
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  await writeFile(join(folder, file), edited);
  const args = ['run', folder, '--seeds', '1', '--out', join(folder, 'run'), ...more];
  return execa(process.execPath, [join(ROOT, 'bin/crash-campaign.js'), ...args], { cwd: folder, reject: false, stdin: 'ignore' });
}

test.each([
  ['setup that throws', '  lock,\n', "  lock,\n  setup() { throw new Error('boom'); },\n", /setup threw an error: boom/],
  ['read that throws null', '  read({ state }) {', '  read({ state }) {\n    if (state) throw null;', /read threw an error: null/],
  [
    'read that returns nothing',
    'return { events, work: [], unreadable: [], debris: [] };',
    'return undefined as never;',
    /read returned undefined.*It must return/,
  ],
  ['read with an id that is no text', "id: line.split(' ')[0] ?? ''", 'id: 1 as never', /read returned \{"events":\[\{"id":1/],
  [
    'draw that throws',
    '  draw: () => constant',
    "  draw: () => { throw new Error('boom'); }, other: constant",
    /scenario kill-at-third-event has no plan for seed 1: boom/,
  ],
  [
    'inspect that returns nonsense',
    "return { is: 'free' };",
    "return { is: 'banana' } as never;",
    /lock\.inspect returned \{"is":"banana"\}/,
  ],
])('%s: one clear error, exit 64', async (_, from, to, said) => {
  const { exitCode, stderr } = await runEdited('campaign.ts', from, to);
  expect(stderr).toMatch(said);
  expect([exitCode, stderr.trimEnd().split('\n').length]).toEqual([64, 1]);
});

test('a promise that never settles is no result: exit 70', async () => {
  const { exitCode, stderr } = await runEdited('campaign.ts', '  lock,\n', '  lock,\n  setup: () => new Promise(() => {}),\n');
  expect(stderr).toMatch(/there is no result: .* never settles/);
  expect(exitCode).toBe(70);
});

test('a successor that exits 0 without doing the work has not finished it', async () => {
  const kernel = 'kernel.mjs';
  const { exitCode, stdout } = await runEdited(
    kernel,
    '// #end\nfor (let n',
    '// #end\nif (first > 0) process.exit(0);\nfor (let n',
    '--no-controls',
  );
  expect(stdout).toMatch(/the last session exited 0 with 3 events in place, and without faults there are 9/);
  expect(exitCode).toBe(1);
});

test('a subject that is not there, in the cast of a plan: exit 64', async () => {
  const { exitCode, stderr } = await execa(
    process.execPath,
    [join(ROOT, 'bin/crash-campaign.js'), 'replay', TOY, '--plan', 'cast=toy,nosuch'],
    { cwd: directory, reject: false, stdin: 'ignore' },
  );
  expect(stderr).toMatch(/cast names the subject nosuch/);
  expect(exitCode).toBe(64);
});
