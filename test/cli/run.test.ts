import { appendFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecords } from '../../src/history/read.ts';
import { cli, TOY } from './cli.ts';

let directory: string;
let runDirectory: string;
let run: Awaited<ReturnType<typeof cli>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-cli-'));
  runDirectory = join(directory, 'run');
  run = await cli(['run', TOY, '--json', '--out', runDirectory]);
});
afterAll(() => rm(directory, { recursive: true }));

/** Until a process has said this on stderr. */
function seen(process: ReturnType<typeof cli>, text: string): Promise<void> {
  return new Promise((resolve) => process.stderr?.on('data', (said) => String(said).includes(text) && resolve()));
}

const json = (text: unknown) => JSON.parse(String(text));

describe('run --json', () => {
  test('prints one object on stdout, as DESIGN 4.6 has it, and everything else on stderr', () => {
    expect(run.exitCode).toBe(0);
    expect(json(run.stdout)).toMatchObject({
      schema: 'crash-campaign/run@1',
      campaign: 'toy',
      driver: 'sim',
      verdict: 'pass',
      exitCode: 0,
      trials: { total: 2, held: 2, broken: 0, void: 0 },
      scenarios: [{ name: 'kill-at-third-event', subject: 'toy', kills: 2, leftLockBehind: { trials: 2 }, otherwise: { trials: 0 } }],
      controls: [{ variant: 'without-resume', caught: 1, trials: 1, firstCatch: 1 }],
      findings: [],
      runDirectory,
    });
    expect(run.stderr).toMatch(/^trials {2}2\/2 {2}2 held, 0 broken, 0 void/m);
    expect(run.stderr).toMatch(/^PASS {2}2 trials/m);
    expect(run.stderr).not.toMatch(/[\r\u001b]/);
  });

  test('a second run into the same directory is refused', async () => {
    const again = await cli(['run', TOY, '--out', runDirectory]);
    expect(again).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('there is a run in') });
  });
});

describe('report', () => {
  test('says from the records what the run said', async () => {
    const again = await cli(['report', runDirectory, '--json']);
    expect(again).toMatchObject({ exitCode: 0, stdout: run.stdout, stderr: '' });
    const text = await cli(['report', runDirectory]);
    expect(text.exitCode).toBe(0);
    expect(run.stderr).toContain(text.stdout);
  });

  test('drops a torn last line, and says so', async () => {
    const torn = join(directory, 'torn');
    await cp(runDirectory, torn, { recursive: true });
    await appendFile(join(torn, 'trials.ndjson'), '{"schema":"crash-campaign/tri');
    const report = await cli(['report', torn, '--json']);
    expect(report).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('torn') });
    expect(json(report.stdout).digest).toBe(json(run.stdout).digest);
  });

  test('refuses records of a version that it does not know', async () => {
    const foreign = join(directory, 'foreign');
    await cp(runDirectory, foreign, { recursive: true });
    await appendFile(join(foreign, 'trials.ndjson'), '{"schema":"crash-campaign/trial@99"}\n');
    expect(await cli(['report', foreign])).toMatchObject({ exitCode: 64, stdout: '', stderr: expect.stringContaining('trial@99') });
  });
});

describe.concurrent('exit codes', () => {
  test.each([
    ['an invariant broke', 'toy-forgetful', 1, /^FAIL/m],
    ['nothing was hit', 'toy-missed', 2, /^VOID/m],
    ['a control was not caught', 'toy-blind', 3, /^BLIND/m],
  ])('%s', async (_, campaign, exitCode, verdict) => {
    const result = await cli(['run', `test/fixtures/cli/${campaign}`, '--seeds', '1', '--out', join(directory, campaign)]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout).toMatch(verdict);
    expect(result.stdout).not.toContain('\u001b');
  });

  test('the first Ctrl-C stops cleanly: what there is is kept, reported, and no pass', async () => {
    const out = join(directory, 'interrupted');
    const process = cli(['run', TOY, '--seeds', '1-50', '--workers', '1', '--json', '--out', out]);
    await seen(process, 'trials');
    process.kill('SIGINT');
    const result = await process;
    const summary = json(result.stdout);
    expect({ exitCode: result.exitCode, said: summary.exitCode }).toEqual({ exitCode: 130, said: 130 });
    expect(summary.trials.total).toBeGreaterThan(0);
    expect(summary.trials.total).toBeLessThan(50);
    expect(await cli(['report', out, '--json'])).toMatchObject({ exitCode: 130, stdout: result.stdout });
  });

  test('the second Ctrl-C stops at once, and what there is can be reported', async () => {
    const out = join(directory, 'stopped');
    const process = cli(['run', TOY, '--seeds', '1-50', '--out', out]);
    await seen(process, 'trials');
    process.kill('SIGINT');
    await seen(process, 'once more to stop at once');
    process.kill('SIGINT');
    expect(await process).toMatchObject({ exitCode: 130, stdout: '' });
    const report = await cli(['report', out]);
    expect(report.exitCode).toBe(130);
    expect(report.stdout).toMatch(/note: the run was interrupted/);
  });

  test('a failure of the harness is one line, and all of it with --verbose', async () => {
    const fails = async (...more: string[]) => {
      const out = await mkdtemp(join(tmpdir(), 'crash-campaign-fails-'));
      await mkdir(join(out, 'golden.json'));
      const result = await cli(['run', TOY, '--out', out, ...more]);
      await rm(out, { recursive: true });
      return result;
    };
    const [terse, verbose] = await Promise.all([fails(), fails('--verbose')]);
    expect(terse).toMatchObject({
      exitCode: 70,
      stdout: '',
      stderr: expect.stringMatching(/^crash-campaign: the harness failed: EISDIR[^\n]*$/),
    });
    expect(verbose).toMatchObject({ exitCode: 70, stderr: expect.stringMatching(/\n +at /) });
  });

  test('a reader that has seen enough is no failure', async () => {
    const process = cli(['list', TOY], { stdout: 'pipe', buffer: false });
    process.stdout?.destroy();
    const result = await process;
    expect({ exitCode: result.exitCode, isTerminated: result.isTerminated }).toEqual({ exitCode: 0, isTerminated: false });
  });
});

describe.concurrent('replay', () => {
  test('by seed, with its timeline', async () => {
    const args = ['--scenario', 'kill-at-third-event', '--seed', '1', '--timeline'];
    const { exitCode, stdout } = await cli(['replay', TOY, ...args]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/s1 is killed while holding, leaving the lock behind/);
    expect(stdout).toMatch(/^In words\n {2}At \d+\.\d{3} s s1 acquires the lock/m);
    expect(stdout).not.toContain('\u001b');
  });

  test('by record, several times: how often it breaks again', async () => {
    const record = `${runDirectory}/trials.ndjson:toy/kill-at-third-event/toy/without-resume/1`;
    const { exitCode, stdout, stderr } = await cli(['replay', TOY, '--record', record, '--times', '2', '--json']);
    expect(exitCode).toBe(1);
    expect(json(stdout)).toMatchObject({ schema: 'crash-campaign/replay@1', reproduced: 2, of: 2, verdict: 'broken', exitCode: 1 });
    const before = (await readRecords(`${runDirectory}/trials.ndjson`)).records.find(({ variant }) => variant === 'without-resume');
    expect(json(stdout).digests).toEqual([before?.digest, before?.digest]);
    expect(stderr).toMatch(/^reproduced 2 of 2, with one and the same history/m);
  });

  test('by plan', async () => {
    const { exitCode, stdout } = await cli(['replay', TOY, '--plan', 'event#100:kill']);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/fault 1 +event#100:kill {2}never reached/);
  });

  test('a record that is not there is not replayed in place of another', async () => {
    const { exitCode, stderr } = await cli(['replay', TOY, '--record', `${runDirectory}/trials.ndjson:toy/x`]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringContaining('there is no trial toy/x') });
  });
});
