import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin/crash-campaign.js');
const guardLine = (version: string) =>
  new RegExp(`^crash-campaign: found node ${version}, needs node 22\\.18 or later: .*npm i -D node@24.*--ignore-scripts.*npm start.*\n$`);

/** What the PATH holds outside of what npm puts before it. */
const outerPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(delimiter);

const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1);

const oldNode = outerPath
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && Number.parseInt(versionOf(node), 10) < 22);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-campaign-bin-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A stand-in for the program beside a copy of the bin, so that what the bin does with it can be seen. */
function install(files: Record<string, string>): string {
  mkdirSync(join(folder, 'bin'));
  copyFileSync(bin, join(folder, 'bin/crash-campaign.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","scripts":{"start":"node bin/crash-campaign.js"}}');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return join(folder, 'bin/crash-campaign.js');
}

const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8', cwd: folder });

describe('a node that is too old', () => {
  test('gets one line and exit 64', () => {
    const preload = join(root, 'test/fixtures/bin/pretend-old-node.mjs');
    const program = install({ 'src/cli/main.ts': 'export const main = async () => 0;' });
    const { status, stdout, stderr } = run(process.execPath, ['--import', preload, program]);
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toMatch(guardLine('20.20.2'));
  });

  test.skipIf(oldNode === undefined)('can read the bin: a real one gets the line too', () => {
    const { status, stdout, stderr } = run(oldNode as string, [bin]);
    expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
    expect(stderr).toMatch(guardLine(versionOf(oldNode as string)));
  });

  // What `npm ci --ignore-scripts` leaves: no node below node_modules, so that npm falls back to the machine's own.
  test.skipIf(oldNode === undefined)('is what npm start finds where the scripts of packages were not run', () => {
    install({});
    const { status, stderr } = spawnSync('npm', ['start', '--silent'], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, PATH: outerPath },
    });
    expect(status).toBe(64);
    expect(stderr).toMatch(guardLine(versionOf(oldNode as string)));
  });
});

/** The text of a program that says its arguments. */
const says = (what: string, exitCode: number) => `export const main = async (argv) => (console.log('${what}', ...argv), ${exitCode});`;

describe('the program', () => {
  test('is the one in src in a clone, and gives the exit code', () => {
    const program = install({ 'src/cli/main.ts': says('source', 2), 'dist/src/cli/main.js': says('built', 3) });
    const { status, stdout } = run(process.execPath, [program, 'list', '--json']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: 'source list --json\n' });
  });

  test('is the one in dist where there is no src', () => {
    const { status, stdout, stderr } = run(process.execPath, [install({ 'dist/src/cli/main.js': says('built', 3) }), 'list']);
    expect({ status, stdout, stderr }).toEqual({ status: 3, stdout: 'built list\n', stderr: '' });
  });

  test('ends, and says why, though a campaign has left something open', () => {
    const program = install({ 'src/cli/main.ts': 'export const main = async () => (setInterval(() => {}, 3_600_000), 3);' });
    expect(run(process.execPath, [program])).toMatchObject({ status: 3, stderr: expect.stringContaining('has left something open') });
  });

  test('ends with 70 when it fails or is not there', () => {
    const program = install({});
    expect(run(process.execPath, [program])).toMatchObject({ status: 70, stderr: expect.stringContaining('dist/src/cli/main.js') });
    mkdirSync(join(folder, 'src/cli'), { recursive: true });
    writeFileSync(join(folder, 'src/cli/main.ts'), `export const main = async () => { throw new Error('out of order'); };`);
    expect(run(process.execPath, [program])).toMatchObject({ status: 70, stderr: expect.stringContaining('out of order') });
  });
});

test('a directory for temporary files in which nothing can be made does not keep it from starting', async () => {
  const copy = install({ 'src/cli/main.ts': "export const main = () => process.stdout.write('started') && 0;" });
  const { stdout } = spawnSync(process.execPath, [copy], {
    encoding: 'utf8',
    env: { TMPDIR: '/proc' },
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect(stdout).toBe('started');
});
