import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from './cli.ts';

const CAMPAIGN = 'test/fixtures/cli/toy-versions';
const BOTH = ['--subject', 'eager', '--subject', 'lazy'];

let directory: string;
let run: string;
let both: Awaited<ReturnType<typeof cli>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-compare-'));
  run = join(directory, 'run');
  both = await cli(['compare', CAMPAIGN, ...BOTH, '--seeds', '1-8', '--json', '--out', run]);
}, 60_000);
afterAll(() => rm(directory, { recursive: true }));

const json = (text: unknown) => JSON.parse(String(text));

/** A copy of the run whose records are changed. */
async function changed(name: string, change: (lines: string[]) => string[]): Promise<string> {
  const copy = join(directory, name);
  await cp(run, copy, { recursive: true });
  const file = join(copy, 'trials.ndjson');
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  await writeFile(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return copy;
}

describe('two subjects of a campaign', () => {
  test('are run on the same plans, in turns, and one object is printed, as DESIGN 4.6 has it', async () => {
    expect(both.exitCode).toBe(2);
    const comparison = json(both.stdout);
    expect(comparison).toMatchObject({
      schema: 'crash-campaign/compare@1',
      campaign: 'toy-versions',
      driver: 'sim',
      baseline: { subject: 'eager', runDirectory: run },
      contender: { subject: 'lazy', runDirectory: run },
      decision: 'inconclusive',
      attrition: { baseline: { planned: 8, judged: 8, censored: 0 }, contender: { planned: 8, judged: 8, censored: 0 } },
      rmstMs: { n: 8, method: 'mean', horizon: 10_000 },
      seeds: { paired: 8, timed: 8, exact: { slower: expect.any(Number) } },
      exitCode: 2,
    });
    expect(comparison.questions.map(({ name }: { name: string }) => name)).toEqual([
      'left-lock-behind',
      'never-recovered',
      'clean-recovery',
      'left-behind-recovery',
    ]);
    // Who looks less often needs fewer operations for the same work, and waits longer.
    expect(comparison.cost[0].perEvent.contender).toBeLessThan(comparison.cost[0].perEvent.baseline);
    expect(comparison.questions[3].lower).toBeGreaterThan(0);
    const order = (await readFile(join(run, 'trials.ndjson'), 'utf8'))
      .split('\n')
      .slice(2, -1)
      .map((line) => json(line).seed);
    expect(order.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]);
  });

  test('and the command that replays a seed gives the time that was listed', async () => {
    const [{ contenderMs, replay }] = json(both.stdout).seeds.exact.changedMost;
    const words = replay.contender.split(' ').slice(2);
    const { stdout } = await cli([...words, '--json']);
    expect(json(stdout).trial.kills[0].recovery_ms).toBe(contenderMs);
  });
});

describe('runs that are there', () => {
  test('two subjects of one: the same comparison again', async () => {
    const again = await cli(['compare', run, ...BOTH, '--json']);
    expect(again).toMatchObject({ exitCode: 2, stdout: both.stdout });
  });

  test('a run against itself is ok', async () => {
    const { exitCode, stdout } = await cli(['compare', run, run, '--subject', 'eager']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^OK {2}by 95 % intervals, 5 % tolerated/m) });
    expect(stdout).not.toContain('\u001b');
  });

  test('who tolerates less sees a regression', async () => {
    const { exitCode, stdout } = await cli(['compare', run, ...BOTH, '--margin', '1ms']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^REGRESSED {2}.*1 ms tolerated/m) });
  });

  test('only some seeds: too few of them are inconclusive before any statistics', async () => {
    const { exitCode, stdout } = await cli(['compare', run, run, '--subject', 'eager', '--seeds', '1-5']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: expect.stringMatching(/only 5 pairs have a kill/) });
    expect(stdout).not.toContain('Four questions');
  });
});

describe('what can not be compared', () => {
  test('a truncated last line is dropped, and that is said', async () => {
    const torn = await changed('torn', (lines) => lines);
    await appendFile(join(torn, 'trials.ndjson'), '{"schema":"crash-campaign/tri');
    const { exitCode, stdout } = await cli(['compare', run, torn, '--subject', 'eager', '--json']);
    expect(exitCode).toBe(0);
    expect(json(stdout).notes).toContainEqual(expect.stringMatching(/last line of .*torn\/trials\.ndjson is torn.* it was dropped/));
  });

  test('an empty run', async () => {
    const empty = await changed('empty', () => []);
    const { exitCode, stdout } = await cli(['compare', run, empty, '--subject', 'eager', '--json']);
    expect(exitCode).toBe(2);
    expect(json(stdout)).toMatchObject({ decision: 'inconclusive', reasons: [expect.stringMatching(/contender has no trials/)] });
  });

  test('records of a foreign schema', async () => {
    const foreign = await changed('foreign', (lines) => [...lines, '{"schema":"crash-campaign/trial@99"}']);
    const { exitCode, stderr } = await cli(['compare', run, foreign, '--subject', 'eager']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: expect.stringMatching(/^[^\n]*trials\.ndjson:19: [^\n]*trial@99[^\n]*$/),
    });
  });

  test('runs of different plans', async () => {
    const other = await changed('other', (lines) => lines.map((line) => line.replace('"plan":"event#3:kill"', '"plan":"event#4:kill"')));
    const { exitCode, stderr } = await cli(['compare', run, other, '--subject', 'eager']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: expect.stringMatching(/^[^\n]*8 of 8 trials have different plans[^\n]*"event#3:kill" against "event#4:kill"[^\n]*$/),
    });
  });

  test.each([
    ['one directory that is no run', ['test'], /there is no campaign|campaign/],
    ['a directory beside a campaign', [CAMPAIGN, 'test'], /is this the directory of a run\?/],
    ['one subject', [CAMPAIGN, '--subject', 'eager'], /takes two subjects/],
    ['a subject that is not there', [CAMPAIGN, '--subject', 'eager', '--subject', 'lasy'], /no subject lasy.*did you mean lazy/],
    ['a margin without a unit', [CAMPAIGN, '--margin', '10'], /10%/],
  ])('%s', async (_, args, message) => {
    expect(await cli(['compare', ...args])).toMatchObject({ exitCode: 64, stdout: '', stderr: expect.stringMatching(message) });
  });
});
