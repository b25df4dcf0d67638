import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

let folder: string;
let project: string;
let packed: { version: string; files: { path: string }[] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crash-campaign-package-'));
  // A copy of the work tree is packed, because other tests and checks may be reading the dist of the tree itself.
  const staging = join(folder, 'staging');
  const { stdout: tree } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const path of tree.split('\0')) {
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(staging, path));
  }
  symlinkSync(join(root, 'node_modules'), join(staging, 'node_modules'));
  await execa('npm', ['run', 'build'], { cwd: staging });
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: staging });
  const [tarball] = Object.values<typeof packed & { filename: string }>(JSON.parse(stdout));
  if (tarball === undefined) throw new Error(`npm pack named no tarball: ${stdout}`);
  packed = tarball;

  project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  // What `npm ci` has fetched for this repository is in npm's cache.
  await execa('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball.filename)], { cwd: project });
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs in the project of the user. */
const run = (command: string, ...args: string[]) => execa(command, args, { cwd: project, reject: false });

/** The text of a user's campaign file. */
const campaign = (name: string) => `
  import { defineCampaign } from 'crash-campaign';
  import stealLock from 'crash-campaign/scenarios/steal-lock';
  export default defineCampaign({
    name: ${name},
    title: 'A campaign of a user',
    kernel: { command: ['node', '{kernel}/kernel.js', '{state}'] },
    lock: {
      kind: 'none',
      covers: () => false,
      inspect: () => ({ is: 'free' }),
      steal() {},
      expire() {},
      corrupt() {},
    },
    read: () => ({ events: [], work: [], unreadable: [], debris: [] }),
    scenarios: [stealLock],
    seeds: '1-3',
    timing: { sim: { ttl_ms: 1000, deadline_ms: 60_000, recovers_within_ms: 5000 } },
    robbed_reason: 'lock-stolen-mid-run',
  });`;

describe('the tarball', () => {
  test('holds what a user needs', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'LICENSE',
        'CHANGELOG.md',
        'bin/crash-campaign.js',
        'dist/src/index.js',
        'dist/src/index.d.ts',
        'dist/src/driver/probe/main.cjs',
        'dist/src/report/html/page/timeline.js',
      ]),
    );
  });

  test('holds nothing else', () => {
    const wanted =
      /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|bin\/crash-campaign\.js|dist\/(src|scenarios)\/.*\.(js|cjs|css|d\.ts))$/;
    expect(packed.files.map(({ path }) => path).filter((path) => !wanted.test(path))).toEqual([]);
  });
});

describe('installed in an empty project', () => {
  test('a campaign file is checked against its types', async () => {
    writeFileSync(join(project, 'good.ts'), campaign(`'good'`));
    writeFileSync(join(project, 'bad.ts'), campaign('5'));
    const { stdout, exitCode } = await run(
      process.execPath,
      tsc,
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--ignoreConfig',
      'good.ts',
      'bad.ts',
    );
    expect(stdout.split('\n').filter((line) => line.includes('error'))).toEqual([
      expect.stringMatching(/^bad\.ts\(\d+,\d+\): error TS2322: Type 'number' is not assignable to type 'string'/),
    ]);
    expect(exitCode).not.toBe(0);
  });

  test('the campaign file runs as a module', async () => {
    writeFileSync(join(project, 'loads.ts'), `import campaign from './good.ts'; console.log(campaign.name);`);
    expect(await run(process.execPath, 'loads.ts')).toMatchObject({ exitCode: 0, stdout: 'good' });
  });

  test('npx finds the program', async () => {
    expect(await run('npx', 'crash-campaign', '--version')).toMatchObject({ exitCode: 0, stdout: packed.version });
    const help = await run('npx', 'crash-campaign', '--help');
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toMatch(/\breplay\b/);
  });

  // The probe and the scenarios are found where they are published.
  test.each(['live', 'sim'])('a campaign of the project runs under the %s driver', async (driver) => {
    const toy = join(project, 'campaigns/toy');
    cpSync(join(root, 'test/fixtures/cli/toy'), toy, { recursive: true });
    const text = readFileSync(join(toy, 'campaign.ts'), 'utf8')
      .replace(/'[./]+\/src\/[^']+'/g, `'crash-campaign'`)
      .replace(/'[./]+\/(scenarios\/[^']+)\.ts'/g, `'crash-campaign/$1'`)
      .replace(/timing: \{ live: (.*) \}/, 'timing: { live: $1, sim: $1 }');
    writeFileSync(join(toy, 'campaign.ts'), text);
    const { stdout, exitCode } = await run('npx', 'crash-campaign', 'run', 'toy', '--driver', driver, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ campaign: 'toy', driver, verdict: 'pass', exitCode: 0 });
    expect(exitCode).toBe(0);
  });
});
