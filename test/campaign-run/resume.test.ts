import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunOptions, RunOutcome } from '../../src/campaign-run/run.ts';
import { judgeAgain, type RunFile } from '../../src/campaign-run/run-file.ts';
import { readRecords } from '../../src/history/read.ts';
import type { RunSummary } from '../../src/judge/run-summary.ts';
import { runToy, trialsOf } from './toy-run.ts';

let directory: string;
let whole: RunOutcome;
/** Stopped after two trials. */
let half: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-resume-'));
  whole = await runToy(join(directory, 'whole'));
  half = join(directory, 'half');
  await interrupted(half, 'trial', 2);
});
afterAll(() => rm(directory, { recursive: true }));

/** Runs the campaign until so many of these have been done, as Ctrl-C stops it. */
async function interrupted(runDirectory: string, type: 'trial' | 'control', done: number, over: Partial<RunOptions> = {}) {
  const stop = new AbortController();
  const onProgress: RunOptions['onProgress'] = (event) => {
    if (event.type === type && event.done === done) stop.abort();
  };
  await runToy(runDirectory, { workers: 1, ...over, signal: stop.signal, onProgress });
}

/** The interrupted run, for a test of its own. */
async function aHalf(name: string): Promise<string> {
  const copy = join(directory, name);
  await cp(half, copy, { recursive: true });
  return copy;
}

/** All but what differs from run to run: real times, and where it lies. */
const lasting = ({ wallMs: _, runDirectory: __, ...summary }: RunSummary) => summary;
const digests = async (runDirectory: string) =>
  (await readRecords(trialsOf(runDirectory))).records
    .map(({ id, digest }, index) => `${index === 0 ? 'golden ' : ''}${id} ${digest}`)
    .sort();

describe('a run that was interrupted', () => {
  test.each([
    ['among the trials', 'trial', 2],
    ['among the controls', 'control', 3],
  ] as const)('%s ends as one that was not', async (name, type, done) => {
    const runDirectory = type === 'trial' ? await aHalf(name) : join(directory, name);
    if (type === 'control') await interrupted(runDirectory, type, done);
    const before = await digests(runDirectory);
    const run: string[] = [];
    const { summary } = await runToy(runDirectory, { existing: 'resume', onProgress: ({ record }) => void run.push(record.id) });
    expect(lasting(summary)).toEqual(lasting(whole.summary));
    const after = await digests(runDirectory);
    expect(after).toEqual(await digests(join(directory, 'whole')));
    expect(before.length).toBeLessThan(after.length);
    expect(after).toEqual(expect.arrayContaining(before));
    // What is recorded is told too: whoever looks on wants to see how far it is.
    expect(run).toHaveLength(after.length);
  });

  test('a torn last record is dropped, and its trial run again', async () => {
    const runDirectory = await aHalf('torn');
    const text = await readFile(trialsOf(runDirectory), 'utf8');
    await writeFile(trialsOf(runDirectory), text.slice(0, -100));
    const notes: string[] = [];
    const { summary } = await runToy(runDirectory, { existing: 'resume', onNote: (note) => notes.push(note) });
    expect(notes).toEqual([expect.stringContaining('torn by a crash')]);
    expect(lasting(summary)).toEqual(lasting(whole.summary));
    expect(await digests(runDirectory)).toEqual(await digests(join(directory, 'whole')));
  });

  test('before there was anything but its directory: it is started', async () => {
    const runDirectory = join(directory, 'empty');
    const { summary } = await runToy(runDirectory, { existing: 'resume-or-start' });
    expect(lasting(summary)).toEqual(lasting(whole.summary));
  });
});

test('a run that has come to its end is judged again, and nothing is run', async () => {
  const before = await readFile(trialsOf(join(directory, 'whole')), 'utf8');
  const run: string[] = [];
  const { summary } = await runToy(join(directory, 'whole'), { existing: 'resume', onProgress: ({ record }) => void run.push(record.id) });
  expect(summary).toEqual(whole.summary);
  expect(run).toEqual([]);
  expect(await readFile(trialsOf(join(directory, 'whole')), 'utf8')).toBe(before);
});

test('a run that has lost records after its end has their trials run again', async () => {
  const runDirectory = join(directory, 'lossy');
  await cp(join(directory, 'whole'), runDirectory, { recursive: true });
  const lines = (await readFile(trialsOf(runDirectory), 'utf8')).split('\n');
  await writeFile(trialsOf(runDirectory), lines.toSpliced(2, 2).join('\n'));
  expect((await judgeAgain(runDirectory)).summary).toMatchObject({ verdict: 'void' });
  const { summary } = await runToy(runDirectory, { existing: 'resume' });
  expect(lasting(summary)).toEqual(lasting(whole.summary));
  expect(await digests(runDirectory)).toEqual(await digests(join(directory, 'whole')));
  expect(lasting((await judgeAgain(runDirectory)).summary)).toEqual(lasting(whole.summary));
});

describe('is refused, and left as it is,', () => {
  async function change(runDirectory: string, edit: (file: Required<RunFile>) => void) {
    const path = join(runDirectory, 'run.json');
    const file = JSON.parse(await readFile(path, 'utf8'));
    edit(file);
    await writeFile(path, JSON.stringify(file));
  }

  test.each<[string, (file: Required<RunFile>) => void, RegExp]>([
    [
      'another version of crash-campaign',
      ({ identity }) => (identity['crash-campaign'] = '0.0.9'),
      /another version of crash-campaign \(0\.0\.9, and now/,
    ],
    ['another node', ({ identity }) => (identity.node = 'v22.18.0'), /another version of node \(v22\.18\.0, and now/],
    ['another kernel', ({ identity }) => (identity.kernels = 'x'), /the kernel has changed since/],
    ['other plans', ({ identity }) => (identity.plans = 'x'), /its scenarios draw other plans now/],
    ['other timing', ({ identity }) => (identity.declared = 'x'), /its campaign declares other timing, scenarios, locks or invariants now/],
    ['other options', ({ request }) => (request.seeds = '1-40'), /started with other options: seeds was "1-40", and is "1-4"/],
  ])('a run of %s', async (name, edit, problem) => {
    const runDirectory = await aHalf(name);
    await change(runDirectory, edit);
    const before = await digests(runDirectory);
    await expect(runToy(runDirectory, { existing: 'resume' })).rejects.toThrow(problem);
    expect(await digests(runDirectory)).toEqual(before);
  });

  test('a run whose golden run has another history', async () => {
    const runDirectory = await aHalf('another-golden');
    const text = await readFile(trialsOf(runDirectory), 'utf8');
    await writeFile(trialsOf(runDirectory), text.replace(/"digest":"[0-9a-f]/, '"digest":"x'));
    await expect(runToy(runDirectory, { existing: 'resume' })).rejects.toThrow(/the golden run of toy has another history now/);
  });

  test('a directory without a run', async () => {
    await expect(runToy(join(directory, 'none'), { existing: 'resume' })).rejects.toThrow(
      /there is no such file: is this the directory of a run/,
    );
  });

  test('a run that another harness is at work on', async () => {
    const runDirectory = await aHalf('held');
    const seconds: Promise<unknown>[] = [];
    const onProgress = () => {
      if (seconds.length === 0) seconds.push(runToy(runDirectory, { existing: 'resume' }).catch((error: Error) => error));
    };
    await runToy(runDirectory, { existing: 'resume', onProgress });
    expect(await Promise.all(seconds)).toMatchObject([{ name: 'RunHeldError' }]);
    expect(await digests(runDirectory)).toEqual(await digests(join(directory, 'whole')));
  });
});
