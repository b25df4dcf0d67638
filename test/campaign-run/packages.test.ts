import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadCampaign } from '../../src/campaign/load.ts';
import { withBench } from '../../src/campaign-run/bench.ts';
import { cachedPackages, installPackages, packageCache } from '../../src/campaign-run/packages.ts';
import { cli } from '../cli/cli.ts';

/*
 * These install a real package of five files from npm.
 */

const INSTALL = fileURLToPath(new URL('../fixtures/install-package.ts', import.meta.url));
const CAMPAIGN = fileURLToPath(new URL('../fixtures/npm-subject', import.meta.url));
const INTEGRITY = 'sha512-cvbTwETRfsFh4nHsL1eGWapU1XFi5Ot9E85sWAwia7Y7EgB7vfqcZhTKZ+l7hCGxSPoushMv5GKhT5PdLv03WA==';
/** Of signal-exit 3.0.6. */
const SIGNAL_EXIT = 'sha512-sDl4qMFpijcGw22U5w63KmD3cZJfBuFlVNbVMKje2keoKML7X2UzWbc4XrmEbDwg0NXJc3yv4/ox7b+JWb57kQ==';
const LOCKFILE = { name: 'lockfile', version: '1.0.4', integrity: INTEGRITY, tree: expect.stringMatching(/^[0-9a-f]{12}$/) };

let root = '';
let caches = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'crash-campaign-packages-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  process.env.CRASH_CAMPAIGN_CACHE = join(root, String(++caches));
});

/** Nobody listens there. */
const offline = { npm_config_registry: 'http://127.0.0.1:9' };
const installing = (spec: string, env = {}) => execa(process.execPath, [INSTALL, spec], { env }).then(({ stdout }) => JSON.parse(stdout));

test('two harnesses may install the same at once, and afterwards neither npm nor a network is needed', async () => {
  const both = await Promise.all([installing('lockfile@1.0.4'), installing('lockfile@1.0.4')]);
  const directory = join(packageCache(), 'lockfile@1.0.4/node_modules/lockfile');
  expect(both).toEqual([[{ ...LOCKFILE, directory }], [{ ...LOCKFILE, directory }]]);
  expect(readdirSync(packageCache())).toEqual(['lockfile@1.0.4']);
  expect(await installing('lockfile@1.0.4', { ...offline, PATH: '' })).toEqual(both[0]);
  expect(await cachedPackages()).toEqual(['lockfile@1.0.4']);
});

test('a harness that is killed while it installs leaves nothing that is taken for the package, and what it leaves is removed', async () => {
  mkdirSync(packageCache(), { recursive: true });
  const begun = new Promise<string>((resolve) => {
    const watcher = watch(packageCache(), (_, name) => {
      watcher.close();
      resolve(name ?? '');
    });
  });
  const harness = spawn(process.execPath, [INSTALL, 'lockfile@1.0.4'], { stdio: 'ignore' });
  const left = await begun;
  harness.kill('SIGKILL');
  await once(harness, 'exit');
  expect(readdirSync(packageCache())).toEqual([left]);
  expect(await cachedPackages()).toEqual([]);
  expect(await installPackages({ name: 'subject', package: 'lockfile@1.0.4' }, '.')).toMatchObject([LOCKFILE]);
  expect(existsSync(join(packageCache(), left))).toBe(false);
});

test('without a network, and for what is not there, one error says what to do', async () => {
  const errors = await Promise.all([
    installing('lockfile@1.0.4', offline),
    installing('lockfile@1.0.99'),
    installing('@crash-campaign/no-such-package@1.0.0'),
    installing('lockfile@1.0.4', { PATH: '' }),
  ]);
  const [network, version, name, npm] = errors.map(({ error }) => error);
  expect(network).toMatch(/lockfile@1\.0\.4 is not in the cache, and npm's registry can't be reached: .*Run this once with a network/);
  expect(version).toMatch(/npm has no lockfile@1\.0\.99.*npm view lockfile versions/);
  expect(name).toMatch(/npm has no package @crash-campaign\/no-such-package\. Correct its name/);
  expect(npm).toMatch(/no npm to install it with\. Put npm on the PATH/);
  expect(await cachedPackages()).toEqual([]);
  const { exitCode, stderr } = await cli(['run', CAMPAIGN, '--seeds', '1'], {
    env: { CRASH_CAMPAIGN_CACHE: join(root, 'empty'), ...offline },
  });
  expect({ exitCode, lines: String(stderr).trim().split('\n').length }).toEqual({ exitCode: 64, lines: 1 });
});

test('a damaged cache is said to be damaged', async () => {
  const folder = join(packageCache(), 'lockfile@1.0.4');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package-lock.json'), '{"packages": {}}');
  await expect(installPackages({ name: 'subject', package: 'lockfile@1.0.4' }, '.')).rejects.toThrow(
    /cache is damaged.*Remove that folder/,
  );
});

describe('with a lock file', () => {
  beforeEach(() => {
    vi.stubEnv('CI', '');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const subject = { name: 'subject', package: 'lockfile@1.0.4', packageLock: 'packages.lock.json' };
  const written = (folder: string) => JSON.parse(readFileSync(join(folder, 'packages.lock.json'), 'utf8'));
  const makeFolder = () => mkdtemp(join(root, 'campaign-'));

  test('it is filled by the first installation, with all that a package depends on, and says from then on what is installed', async () => {
    const folder = await makeFolder();
    const [first] = await installPackages(subject, folder);
    const lock = written(folder);
    expect(Object.keys(lock)).toEqual(['lockfile@1.0.4']);
    expect(lock['lockfile@1.0.4']['node_modules/lockfile']).toMatchObject({ version: '1.0.4', integrity: INTEGRITY });
    expect(lock['lockfile@1.0.4']['node_modules/signal-exit'].integrity).toMatch(/^sha512-/);
    expect(JSON.stringify(lock)).not.toContain('http');

    // An older version of what it depends on than npm would take today.
    Object.assign(lock['lockfile@1.0.4']['node_modules/signal-exit'], { version: '3.0.6', integrity: SIGNAL_EXIT });
    writeFileSync(join(folder, 'packages.lock.json'), JSON.stringify(lock));
    const [second] = await installPackages(subject, folder);
    expect(second?.directory).not.toBe(first?.directory);
    expect(second?.tree).not.toBe(first?.tree);
    const dependency = join(second?.directory ?? '', '../signal-exit/package.json');
    expect(JSON.parse(readFileSync(dependency, 'utf8')).version).toBe('3.0.6');
    expect(written(folder)).toEqual(lock);
  });

  test('what is not what it says is refused, and leaves nothing in the cache', async () => {
    const folder = await makeFolder();
    await installPackages(subject, folder);
    const lock = written(folder);
    lock['lockfile@1.0.4']['node_modules/signal-exit'].integrity = INTEGRITY;
    writeFileSync(join(folder, 'packages.lock.json'), JSON.stringify(lock));
    await expect(installPackages(subject, folder)).rejects.toThrow(
      /something else for lockfile@1\.0\.4 than what was locked.*Find out why/,
    );
    expect(await cachedPackages()).toEqual(['lockfile@1.0.4']);
  });

  test('in CI it is not added to', async () => {
    const folder = await makeFolder();
    vi.stubEnv('CI', 'true');
    await expect(installPackages(subject, folder)).rejects.toThrow(/does not have lockfile@1\.0\.4.*Run it once outside CI/s);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each(['sim', 'live'] as const)('%s: the kernel of each subject gets its version, and the record names it', async (driver) => {
  process.env.CRASH_CAMPAIGN_CACHE = join(root, 'both');
  const campaign = await loadCampaign(CAMPAIGN);
  await withBench({ campaign, driver, variants: [] }, async (bench) => {
    for (const [subject, version] of [
      ['new', '1.0.4'],
      ['old', '1.0.3'],
    ] as const) {
      const { record, history } = await bench.run({ subject, variant: null, scenario: 'no-faults', seed: 1 }, { cast: [{}], faults: [] });
      expect(record).toMatchObject({
        verdict: 'held',
        packages: [{ name: 'lockfile', version, integrity: expect.stringMatching(/^sha512-/) }],
      });
      expect(history.entries).toContainEqual(expect.objectContaining({ type: 'event', id: version }));
    }
  });
});
