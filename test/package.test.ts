import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs in the project of the user. */
const run = (command: string, ...args: string[]) => execa(command, args, { cwd: project, reject: false });

/** A campaign of the fixtures, as a user of the package would have written it. */
function copyCampaign(name: string): void {
  const to = join(project, 'campaigns', name);
  cpSync(join(root, 'test/fixtures/cli', name), to, { recursive: true });
  const text = readFileSync(join(to, 'campaign.ts'), 'utf8')
    .replace(/'[./]+\/src\/[^']+'/g, `'crash-campaign'`)
    .replace(/'[./]+\/(scenarios\/[^']+)\.ts'/g, `'crash-campaign/$1'`);
  writeFileSync(join(to, 'campaign.ts'), text);
}

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
        // What docs/ci.md says that a workflow uses.
        'action.yml',
        ...readdirSync(join(root, 'docs')).map((page) => `docs/${page}`),
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
      /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|action\.yml|docs\/[\w-]+\.md|bin\/crash-campaign\.js|schema\/[\w-]+\.schema\.json|dist\/(src|scenarios)\/.*\.(js|cjs|css|d\.ts))$/;
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
    copyCampaign('toy');
    const { stdout, exitCode } = await run('npx', 'crash-campaign', 'run', 'toy', '--driver', driver, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ campaign: 'toy', driver, verdict: 'pass', exitCode: 0 });
    expect(exitCode).toBe(0);
  });
});

describe('crash-campaign/vitest in a suite of the user', () => {
  interface Result {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  }

  beforeAll(() => {
    for (const name of ['toy', 'toy-forgetful', 'toy-blind']) copyCampaign(name);
    cpSync(join(root, 'test/fixtures/suite/survives.ts'), join(project, 'survives.test.ts'));
    if (!existsSync(join(project, 'node_modules/vitest')))
      symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  });

  async function suite(args: string[], env: Record<string, string> = {}) {
    // What this vitest tells its workers is not for another.
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
    const report = ['--reporter=json', '--outputFile.json=results.json'];
    await execa(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...report, ...args], {
      cwd: project,
      reject: false,
      extendEnv: false,
      env: { ...own, ...env },
    });
    const results = (JSON.parse(readFileSync(join(project, 'results.json'), 'utf8')) as Result).testResults.flatMap(
      ({ assertionResults }) => assertionResults,
    );
    return { results, messageOf: (name: string) => results.find(({ fullName }) => fullName === name)?.failureMessages.join('\n') };
  }

  test('there is a test for each scenario and each control, and what fails can be replayed', { timeout: 300_000 }, async () => {
    const { results, messageOf } = await suite([]);
    expect(results.map(({ fullName, status }) => `${status}  ${fullName}`)).toEqual([
      'passed  the toy survives kill-at-third-event',
      'passed  the toy survives control without-resume is caught',
      'passed  the toy survives without faults',
      'failed  the forgetful does not kill-at-third-event',
      'passed  the forgetful does not without faults',
      'passed  nobody sees kill-at-third-event',
      'failed  nobody sees control unchanged is caught',
      'passed  nobody sees without faults',
    ]);
    const broken = messageOf('the forgetful does not kill-at-third-event') ?? '';
    expect(broken).toContain('broken  no-duplicate-events by toy-forgetful, in 2 trials\n');
    expect(broken).toContain('  plan    event#1:kill\n  from    event#3:kill\n');
    const [, command = ''] = /replay {2}(npx crash-campaign .*)/.exec(broken) ?? [];
    expect(broken).toMatch(/^ {4}at .*survives\.test\.ts:5:1/m);
    expect(messageOf('nobody sees control unchanged is caught')).toContain(
      'control unchanged (breaks no-lost-acks) was caught 0 of 1 times',
    );
    expect(await run('sh', '-c', command)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('no-duplicate-events') });
  });

  test('the environment says which seeds', async () => {
    const { messageOf } = await suite(['-t', 'the forgetful'], { CRASH_CAMPAIGN_SEEDS: '7' });
    expect(messageOf('the forgetful does not kill-at-third-event')).toMatch(/in 1 trial\n[^]*--seed 7 /);
  });
});

describe('crash-campaign init', () => {
  const init = (cwd: string, ...args: string[]) => crashCampaign(cwd, 'init', ...args);
  const crashCampaign = (cwd: string, ...args: string[]) =>
    execa(process.execPath, [join(project, 'node_modules/crash-campaign/bin/crash-campaign.js'), ...args], { cwd, reject: false });

  function emptyFolder(name: string): string {
    const path = join(folder, 'init', name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  // Two minutes are the promise on a machine that has nothing else to do.
  test('in an empty folder: the very next command is green, and the control is caught', { timeout: 300_000 }, async () => {
    const cwd = emptyFolder('My Service');
    const made = await init(cwd);
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const began_ms = performance.now();
    const [, next = ''] = /Next:\n {2}npx crash-campaign (.*)/.exec(made.stdout) ?? [];
    expect(next).toBe('run my-service');
    const { stdout, exitCode } = await crashCampaign(cwd, ...next.split(' '), '--json');
    expect(exitCode, stdout).toBe(0);
    const { verdict, controls, forged } = JSON.parse(stdout);
    expect({ verdict, controls }).toMatchObject({ verdict: 'pass', controls: [{ variant: 'without-resume', met: true }] });
    expect(forged.filter(({ result }: { result: string }) => result === 'rejected').length).toBeGreaterThan(10);
    process.stderr.write(`init: its first campaign took ${Math.round((performance.now() - began_ms) / 1000)} s\n`);
  });

  test('what it writes for TypeScript and for CI is well-formed, and nothing is overwritten', async () => {
    const cwd = emptyFolder('twice');
    writeFileSync(join(cwd, 'package.json'), '{"name": "@scope/Twice", "type": "module"}');
    writeFileSync(join(cwd, 'pnpm-lock.yaml'), '');
    expect((await init(cwd)).stdout).toContain('left alone  package.json');
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe('{"name": "@scope/Twice", "type": "module"}');
    const workflow = readFileSync(join(cwd, '.github/workflows/crash-campaign.yml'), 'utf8');
    expect(workflow).toMatch(/- run: corepack enable && pnpm install --frozen-lockfile\n {6}- run: pnpm exec crash-campaign run twice /);
    const kernel = join(cwd, 'campaigns/twice/kernel.mjs');
    writeFileSync(kernel, '// mine');
    expect(await init(cwd)).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('there is a campaigns/twice already') });
    expect(readFileSync(kernel, 'utf8')).toBe('// mine');
    expect(await init(cwd, '--name', 'thrice')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('left alone  .github/workflows/crash-campaign.yml'),
    });
  });

  test.each([
    { name: 'a node program', command: ['node', 'worker.mjs', '{state}'], driver: 'sim' },
    { name: 'a program of any kind', command: ['./worker.sh'], driver: 'live' },
  ])('over $name that is there', async ({ command, driver }) => {
    const cwd = emptyFolder(driver);
    cpSync(join(root, 'test/fixtures/suite'), cwd, { recursive: true });
    expect(await init(cwd, '--', ...command)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('it left 5 events behind') });
    const { stdout, exitCode } = await crashCampaign(cwd, 'run', driver, '--seeds', '1-2', '--json');
    expect(exitCode, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ driver, verdict: 'pass', controls: [{ variant: 'throws-away', met: true }] });
  });

  test.each([
    { given: ['true'], says: 'it left nothing in its state directory. The directory is in CRASH_CAMPAIGN_STATE' },
    { given: ['false'], says: 's1 died of its own error' },
    { given: ['npx', 'worker'], says: 'npx worker does not start the program itself' },
    { given: ['no-such-program'], says: '`no-such-program` could not be started' },
  ])('$given.0 is no program for a campaign, and nothing is written', async ({ given, says }) => {
    const cwd = emptyFolder(given[0] ?? '');
    expect(await init(cwd, '--', ...given)).toMatchObject({ exitCode: 64, stderr: expect.stringContaining(says) });
    expect(readdirSync(cwd)).toEqual([]);
  });
});
