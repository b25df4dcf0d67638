import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, TOY } from './cli.ts';

const FORGETFUL = `${TOY}-forgetful`;
const SMALLEST = 'event#1:kill';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-shrink-'));
});
afterAll(() => rm(directory, { recursive: true }));

const json = (text: unknown) => JSON.parse(String(text));

test('run --bail stops at the first broken trial; --shrink makes it small; the command that replays it does', async () => {
  const out = join(directory, 'bail');
  const run = await cli(['run', FORGETFUL, '--seeds', '1-40', '--workers', '1', '--bail', '--shrink', '--json', '--out', out]);
  const summary = json(run.stdout);
  expect(run.exitCode).toBe(1);
  expect(summary).toMatchObject({ verdict: 'fail', trials: { total: 1, broken: 1 }, coverage: { cut: 'broken', failureBound: null } });
  expect(summary.reasons).toHaveLength(1);
  const [finding] = summary.findings;
  expect(finding).toMatchObject({
    invariant: 'no-duplicate-events',
    plan: SMALLEST,
    steps: 1,
    shrunk: { from: 'event#3:kill', minimal: true },
  });
  expect(finding.shrunk.story.join('\n')).toMatch(/s1 is killed while holding.*s2 writes event 0.*That breaks no-duplicate-events/s);
  expect(await cli(['report', out, '--json'])).toMatchObject({ exitCode: 1, stdout: run.stdout });

  const words = [...finding.replay.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare).slice(2);
  const replay = json((await cli([...words, '--times', '5', '--json'])).stdout);
  expect(replay).toMatchObject({ reproduced: 5, of: 5, verdict: 'broken', trial: { plan: SMALLEST, seed: 1 } });
  expect(new Set(replay.digests).size).toBe(1);

  for (const record of [out, `${out}/trials.ndjson`]) {
    const shrunk = await cli(['shrink', record, '--json']);
    expect(shrunk.exitCode).toBe(1);
    expect(json(shrunk.stdout)).toMatchObject({
      schema: 'crash-campaign/shrink@1',
      trial: expect.stringMatching(/\/kill-at-third-event\/.*\/-\/1$/),
      invariant: 'no-duplicate-events',
      fingerprint: finding.fingerprint,
      before: { plan: 'event#3:kill', steps: 1, broken: 1, of: 1 },
      after: { plan: SMALLEST, steps: 1, broken: 1, of: 1 },
      minimal: true,
      replay: finding.replay,
      digest: replay.digests[0],
    });
  }
});

test('under the real clock the rate is measured before and after', async () => {
  const args = ['--scenario', 'kill-at-third-event', '--seed', '1', '--driver', 'live', '--times', '2', '--budget', '4'];
  const { exitCode, stdout, stderr } = await cli(['shrink', FORGETFUL, ...args, '--json']);
  expect(exitCode).toBe(1);
  expect(json(stdout)).toMatchObject({ before: { broken: 2, of: 2 }, after: { broken: 2, of: 2 } });
  expect(stderr).toContain('(broke it in 2 of 2)');
});

test('a trial that does not break is void, and says what to do', async () => {
  const { exitCode, stdout } = await cli(['shrink', TOY, '--scenario', 'kill-at-third-event', '--seed', '1']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringMatching(/^it did not break again: replay it/) });
});

test('run --until-fail goes on with fresh seeds until one breaks', async () => {
  const run = await cli(['run', FORGETFUL, '--until-fail', '--workers', '1', '--json', '--out', join(directory, 'until-fail')]);
  expect(run.exitCode).toBe(1);
  // The campaign's own are 1-2.
  expect(json(run.stdout)).toMatchObject({ trials: { total: 1 }, coverage: { seeds: { first: 3, last: 3 } }, findings: [{ seed: 3 }] });
});

test('run --until-fail with a limit says what it has covered, and the bound', async () => {
  const out = join(directory, 'limit');
  const { exitCode, stdout } = await cli(['run', TOY, '--until-fail', '--trials', '3', '--out', out]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/no failure in 3 trials: at most 63 % fail, at 95 % confidence/);
});

test('a time budget that ends before every scenario had a trial is void', async () => {
  const { exitCode, stdout } = await cli(['run', TOY, '--time-budget', '1ms', '--out', join(directory, 'budget')]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringMatching(/^VOID.*give it a longer --time-budget/ms) });
});

test('a time budget ends a search that finds nothing', async () => {
  const { stdout } = await cli(['run', TOY, '--until-fail', '--time-budget', '2s', '--json', '--out', join(directory, 'search')]);
  const { coverage } = json(stdout);
  // How far it comes by then depends on the machine.
  expect(coverage).toMatchObject({ cut: 'time-budget', scenarios: { of: 1 } });
  if (coverage.trials > 0) expect(coverage.failureBound).toBeCloseTo(1 - 0.05 ** (1 / coverage.trials), 12);
});
