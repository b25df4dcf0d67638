/**
 * Not part of the test run, since it fetches from npm: the own test suites of packages that live on files and timers, and
 * small programs over packages that ship none, each with and without the probe. Prints what differs; exits 1 if something does.
 *
 *     npx node test/driver/probe/npm-packages.ts [folder to keep the packages in]
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conducted, plain } from './conduct.ts';

/** Pinned: what they test must not change under us. Aliases where two versions are needed. */
const PACKAGES = [
  'proper-lockfile@4.1.2',
  'proper-lockfile-1@npm:proper-lockfile@1.2.0',
  'lockfile@1.0.4',
  'graceful-fs@4.2.11',
  'write-file-atomic@6.0.0',
  'fs-extra@11.3.0',
  'p-limit@6.2.0',
  'mocha@11.1.0',
  'expect.js@0.3.1',
  'rimraf@2.7.1',
  'buffered-spawn@3.3.2',
  'async@2.6.4',
  'tap@12.7.0',
  'touch@3.1.0',
];

interface Case {
  name: string;
  /** The program, below the folder of packages; absent: `fixtures/packages/<name>.mjs`. */
  program?: string;
  args?: string[];
  /** The directory that is under control, below the folder of packages; absent: a new one. */
  state?: string;
}

const CASES: Case[] = [
  {
    name: 'proper-lockfile 1.2.0, its own tests',
    program: 'node_modules/mocha/bin/_mocha',
    args: ['--reporter', 'tap', '--exit', '--timeout', '20000', 'test.js'],
    state: 'node_modules/proper-lockfile-1/test',
  },
  ...['basic.js', 'retry-time.js', 'stale-contention.js', 'unlock-no-cb.js'].map((file) => ({
    name: `lockfile 1.0.4, its own ${file}`,
    program: `node_modules/lockfile/test/${file}`,
    state: 'node_modules/lockfile/test',
  })),
  { name: 'graceful-fs', program: 'graceful-fs.mjs' },
  { name: 'write-file-atomic', program: 'write-file-atomic.mjs' },
  { name: 'fs-extra', program: 'fs-extra.mjs' },
  { name: 'p-limit', program: 'p-limit.mjs' },
  { name: 'proper-lockfile', program: 'proper-lockfile.mjs' },
];

const folder = process.argv[2] ?? mkdtempSync(join(realpathSync(tmpdir()), 'probe-packages-'));
if (!existsSync(join(folder, 'node_modules'))) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder, stdio: 'inherit' });
}
const programs = join(import.meta.dirname, 'fixtures/packages');
for (const file of readdirSync(programs)) cpSync(join(programs, file), join(folder, file));
cpSync(join(import.meta.dirname, 'fixtures/say.mjs'), join(folder, 'say.mjs'));
process.chdir(folder);

/** How long a test took is no part of its result, nor is through which functions it failed. */
const timeless = (text: string) =>
  text
    .replace(/\b(\d+(\.\d+)?m?s|time=[\d.]+|duration_ms: [\d.]+)\b/g, '…')
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\s+at |^\s*# (time|…)/.test(line));

let differing = 0;
for (const { name, program = '', args, state } of CASES) {
  const how = state === undefined ? { args } : { args, state: join(folder, state), cwd: join(folder, state) };
  const without = await plain(join(folder, program), how);
  const under = await conducted(join(folder, program), how);
  const [expected, actual] = [timeless(without.stdout), timeless(under.stdout)];
  const uncontrolled = under.seen.flatMap((request) => (request.type === 'uncontrolled' ? [request.what] : []));
  const operations = under.seen.filter(({ type }) => type === 'operation').length;
  const same = expected.join('\n') === actual.join('\n') && without.code === under.code;
  console.log(
    `${same ? 'same' : 'DIFFERS'}  ${name}: ${expected.filter((line) => /^\s*ok\b/.test(line)).length} ok, ${expected.filter((line) => /^\s*not ok\b/.test(line)).length} not ok, ${operations} operations${uncontrolled.length === 0 ? '' : `, uncontrolled: ${uncontrolled.join(', ')}`}`,
  );
  if (same) continue;
  differing++;
  console.log(`  exit ${without.code} / ${under.code} ${under.signal ?? ''}`);
  const [had, has] = [new Set(expected), new Set(actual)];
  for (const line of expected.filter((text) => !has.has(text)).slice(0, 15)) console.log(`  - ${line}`);
  for (const line of actual.filter((text) => !had.has(text)).slice(0, 15)) console.log(`  + ${line}`);
  if (under.stderr !== '')
    console.log(
      under.stderr
        .split('\n')
        .slice(0, 10)
        .map((line) => `  ! ${line}`)
        .join('\n'),
    );
}
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true });
process.exitCode = differing === 0 ? 0 : 1;
