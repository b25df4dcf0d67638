import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import { type Existing, openRun } from '../../src/campaign-run/open-run.ts';
import { RunStoppedError } from '../../src/campaign-run/run-errors.ts';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import { UnreadableFileError } from '../../src/history/lines.ts';
import { record } from '../fixtures/records.ts';
import { golden, identity, request, runFile, writeRun } from '../fixtures/run-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-campaign-open-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function open(path: string, existing: Existing) {
  const notes: string[] = [];
  const run = await openRun({ directory: path, campaign: 'c', existing, onNote: (note) => notes.push(note) }, request, identity);
  await run.close();
  return { ...run, notes };
}

describe.each(['refuse', 'resume-or-start'] as const)('%s', (existing) => {
  test('records without run.json are of nobody knows what run: they are neither taken over nor lost', async () => {
    writeRun(directory);
    rmSync(join(directory, 'run.json'));
    const before = readFileSync(join(directory, 'trials.ndjson'), 'utf8');
    await expect(open(directory, existing)).rejects.toThrow(/there are records in .* and no run\.json/);
    expect(readFileSync(join(directory, 'trials.ndjson'), 'utf8')).toBe(before);
  });

  test('a harness that was killed before it wrote anything left no run', async () => {
    writeFileSync(join(directory, 'trials.ndjson'), '');
    expect(await open(directory, existing)).toMatchObject({ before: null });
  });

  test.each([
    ['/dev/null/x', /can't be written to \/dev\/null\/x: ENOTDIR/],
    ['/proc/foo', /can't be written to \/proc\/foo: ENOENT/],
    [`/tmp/${'x'.repeat(300)}`, /ENAMETOOLONG/],
    ['', /the path of the run directory is empty/],
  ])('a directory that can not be: %s', async (path, message) => {
    const error = await open(path, existing).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(CampaignError);
    expect(String(error)).toMatch(message);
    expect(existsSync('lock')).toBe(false);
  });
});

test('an empty path is not the working directory', async () => {
  await expect(open('', 'resume')).rejects.toThrow('the path of the run directory is empty');
});

test.each([
  ['nothing', '', /golden\.json: it is not JSON/],
  ['half of it', '{"numbering":', /golden\.json: it is not JSON/],
  ['something else', '{"a":1}', /golden\.json: it is not what a golden run measured: numbering: /],
  ['a directory', null, /golden\.json: EISDIR/],
])('%s for what the golden run measured', async (_, text, message) => {
  writeRun(directory, { file: { finished: false } });
  if (text === null) mkdirSync(join(directory, 'golden.json'));
  else writeFileSync(join(directory, 'golden.json'), text);
  const error = await open(directory, 'resume').catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UnreadableFileError);
  expect(String(error)).toMatch(message);
});

describe('a run that had come to its end', () => {
  const file = { records: 4 };

  test('has, while nothing is lost of it', async () => {
    writeRun(directory, { file });
    expect(await open(directory, 'resume')).toMatchObject({ before: { finished: true }, notes: [] });
  });

  test('has not, when records are lost: their trials are run again', async () => {
    writeRun(directory, { file, records: [golden, record(2)] });
    const { before, trials, notes } = await open(directory, 'resume');
    expect({ finished: before?.finished, trials: [...trials.keys()] }).toEqual({ finished: false, trials: [record(2).id] });
    expect(notes).toEqual(['2 of 4 records are gone from trials.ndjson: their trials are run again']);
  });

  test.each([[file], [{}]])('nor when the last one is torn %j', async (file) => {
    writeRun(directory, { file });
    truncateSync(join(directory, 'trials.ndjson'), readFileSync(join(directory, 'trials.ndjson')).length - 9);
    const { before, trials, notes } = await open(directory, 'resume');
    expect({ finished: before?.finished, trials: trials.size }).toEqual({ finished: false, trials: 2 });
    expect(notes).toEqual(['the last record was torn by a crash: its trial is run again']);
  });

  test('and can not be gone on with, when a golden run is lost', async () => {
    writeRun(directory, { file, records: [record(1), record(2), record(3)] });
    await expect(open(directory, 'resume')).rejects.toThrow(/the record of a golden run is gone/);
  });

  test('is void without them, and says why', async () => {
    writeRun(directory, { file, records: [golden, record(2)] });
    const { summary } = await judgeAgain(directory);
    expect(summary).toMatchObject({ verdict: 'void', exitCode: 2, trials: { total: 1 } });
    expect(summary.reasons).toEqual([expect.stringMatching(/^2 of the 4 records that the run had at its end are gone/)]);
  });
});

describe('while a run is written', () => {
  const begin = () => openRun({ directory, campaign: 'c', existing: 'refuse' }, request, identity);
  const trials = () => join(directory, 'trials.ndjson');

  test('its records may grow', async () => {
    const run = await begin();
    await Promise.all([golden, record(1), record(2, { subject: 'ü' })].map(run.record));
    await run.writeFile(runFile);
    expect(run.recorded()).toBe(3);
    await run.close();
  });

  test.each<[string, () => void]>([
    ['removed', () => rmSync(trials())],
    ['cut off', () => truncateSync(trials(), 9)],
    [
      'replaced',
      () => {
        copyFileSync(trials(), `${trials()}.copy`);
        renameSync(`${trials()}.copy`, trials());
      },
    ],
  ])('it stops when they are %s, before the next one and before it says that it is finished', async (loss, hurt) => {
    const run = await begin();
    await run.record(golden);
    await run.record(record(1));
    hurt();
    for (const next of [() => run.record(record(2)), () => run.writeFile(runFile)]) {
      const error = await next().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(RunStoppedError);
      expect(String(error)).toContain(`trials.ndjson was ${loss} while this run was writing it`);
    }
    await run.close();
    expect(existsSync(join(directory, 'run.json'))).toBe(false);
  });
});
