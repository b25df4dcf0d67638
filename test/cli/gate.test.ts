import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireValid } from '../report/valid.ts';
import { cli } from './cli.ts';

/* A repository with two commits: on main the fixture as it is, and on a branch a lease that is longer by a tenth, told where the campaign tells it. */

let directory: string;
let repository: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
const gate = (args: string[], out: string) =>
  cli(['gate', join(repository, 'gated'), '--out', join(directory, out), '--workers', '1', ...args]);
const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('crash-campaign-merge-base-'));

let before: string[];

beforeAll(async () => {
  before = temporary();
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-gate-cli-'));
  repository = join(directory, 'repository');
  await cp(fileURLToPath(new URL('../fixtures/gate', import.meta.url)), join(repository, 'gated'), { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'test');
  git('config', 'user.email', 'test@example.org');
  git('add', '.');
  git('commit', '--quiet', '--message=one');
  git('switch', '--quiet', '--create=longer-lease');
  const campaign = join(repository, 'gated', 'campaign.ts');
  writeFileSync(campaign, readFileSync(campaign, 'utf8').replace('ttl_ms: 200,', 'ttl_ms: 220,'));
  git('commit', '--quiet', '--all', '--message=two');
});
afterAll(() => rm(directory, { recursive: true }));

/** Nothing is left of what was checked out, and nothing has changed. */
function expectCleanUp() {
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git('status', '--porcelain')).toBe('');
  expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
}

describe('gate --against', () => {
  test('runs the merge base beside, with its own lease and on the same plans, and sees that this one is longer', async () => {
    const { exitCode, stdout } = await gate(['--against', 'main', '--seeds', '17-22', '--json'], 'against');
    const found = JSON.parse(String(stdout));
    requireValid('gate-1', found);
    expect(exitCode).toBe(1);
    expect(found).toMatchObject({
      verdict: 'fail',
      run: { verdict: 'pass', controls: [{ met: true }] },
      against: { is: 'commit', ref: 'main', commit: git('rev-parse', 'main').trim() },
      compare: { decision: 'regressed', seeds: { paired: 6, exact: { slower: 6 } }, cost: expect.any(Array) },
    });
    expect(found.compare.rmstMs.difference).toBeGreaterThan(18);
    expect(found.compare.rmstMs.difference).toBeLessThan(22);
    // Both runs are there to be compared again.
    const again = await cli(['compare', join(directory, 'against', 'merge-base'), join(directory, 'against'), '--json']);
    expect(JSON.parse(String(again.stdout))).toMatchObject({ decision: 'regressed', rmstMs: found.compare.rmstMs });
    expectCleanUp();
  });

  test('leaves nothing behind when it is stopped, by one Ctrl-C or by two', async () => {
    for (const times of [1, 2]) {
      const running = gate(['--against', 'main', '--seeds', '1-40'], `stopped-${times}`);
      const seen = (text: string) =>
        new Promise<void>((resolve) => running.stderr?.on('data', (said) => String(said).includes(text) && resolve()));
      await seen('trials');
      running.kill('SIGINT');
      if (times === 2) {
        await seen('once more to stop at once');
        running.kill('SIGINT');
      }
      expect((await running).exitCode).toBe(130);
      expectCleanUp();
    }
  });

  test.each([
    ['a ref that is not there', ['--against', 'nowhere'], /there is no commit nowhere.*fetch-depth: 0/],
    ['two things to compare with', ['--against', 'main', '--baseline', 'b.json'], /--baseline and --against do not go together/],
    ['fresh seeds with a baseline', ['--fresh', '--baseline', 'b.json'], /no baseline knows these seeds/],
    ['nothing to compare with', [], /there is no baseline reports\/baselines\/gated\.json.*--update/],
  ])('%s is refused, and nothing is run', async (name, args, message) => {
    const out = name.replaceAll(' ', '-');
    expect(await gate(args, out)).toMatchObject({ exitCode: 64, stdout: '', stderr: expect.stringMatching(message) });
    expect(existsSync(join(directory, out, 'run.json'))).toBe(false);
    expectCleanUp();
  });
});
