import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, digestOfTrials } from '../../src/history/digest.ts';
import type { Entry, History } from '../../src/history/history.ts';
import { readHistory, readRecords } from '../../src/history/read.ts';
import { appendRecord, writeHistory } from '../../src/history/write.ts';
import { record as wholeRecord } from '../fixtures/records.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-history-'));
});
afterAll(() => rm(directory, { recursive: true }));

const history: History = {
  trial: {
    schema: 'crash-campaign/history@1',
    id: 'ingest/kill-anywhere/ingest/-/1000',
    campaign: 'ingest',
    subject: 'ingest',
    variant: null,
    scenario: 'kill-anywhere',
    seed: 1000,
    driver: 'sim',
    plan: 's1@op#1:kill',
    ttl_ms: 1000,
    deadline_ms: 60_000,
    recovers_within_ms: 5000,
    robbed_reason: 'lock-stolen-mid-run',
    allowed_reasons: [],
    epoch_ms: 0,
  },
  entries: [
    { t_ms: 0, type: 'spawn', session: 's1', pid: 100, host: 'h1', subject: 'ingest', replaces: null },
    { t_ms: 1.5, type: 'said', session: 's1', say: 'point', text: 'lock.acquired' },
  ],
};

const record = (id: string) => wholeRecord(1, { id });

describe('histories', () => {
  test('what is written is read back', async () => {
    const file = join(directory, 'history.ndjson');
    await writeHistory(file, history);
    expect(await readHistory(file)).toEqual(history);
  });

  test('half a history is refused', async () => {
    const file = join(directory, 'half.ndjson');
    await writeHistory(file, history);
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -5));
    await expect(readHistory(file)).rejects.toThrow(/half\.ndjson:3: the last line is torn: replay/);
  });

  test('a file of records is not a history', async () => {
    const file = join(directory, 'records.ndjson');
    await appendRecord(file, record('a'));
    await expect(readHistory(file)).rejects.toThrow(/history@1", and this is "crash-campaign\/trial@1": is this the right file/);
  });
});

describe('records', () => {
  test('are appended and read in order', async () => {
    const file = join(directory, 'trials.ndjson');
    await appendRecord(file, record('b'));
    await appendRecord(file, record('a'));
    expect(await readRecords(file)).toEqual({ records: [record('b'), record('a')], torn: false });
  });

  test('a torn last line is dropped and said', async () => {
    const file = join(directory, 'torn.ndjson');
    await appendRecord(file, record('a'));
    // Valid JSON even so: without its newline a line is not known to be whole.
    await appendFile(file, JSON.stringify(record('b')));
    expect(await readRecords(file)).toEqual({ records: [record('a')], torn: true });
  });

  test('a bad line before the last is an error that names it', async () => {
    const file = join(directory, 'bad.ndjson');
    await writeFile(file, `${JSON.stringify(record('a'))}\n{"schema"\n${JSON.stringify(record('b'))}\n`);
    await expect(readRecords(file)).rejects.toThrow(/bad\.ndjson:2: not JSON: {"schema"/);
  });

  test('a hollow record is an error that names what is missing', async () => {
    const file = join(directory, 'hollow.ndjson');
    await appendRecord(file, record('a'));
    await appendFile(file, '{"schema":"crash-campaign/trial@1","id":"b"}\n');
    await expect(readRecords(file)).rejects.toThrow(/hollow\.ndjson:2: it says that it is a trial and is not a whole one: campaign: /);
  });

  test.each(['/etc', '..', '../evil', 'artefacts/../../evil', 'artefacts/..', '.', './a', '', 'artefacts//a'])(
    'artefacts in %j are refused: they are not within the run directory',
    async (artefacts) => {
      const file = join(directory, 'outside.ndjson');
      await writeFile(file, `${JSON.stringify({ ...record('a'), artefacts })}\n`);
      await expect(readRecords(file)).rejects.toThrow(/outside\.ndjson:1: .*artefacts: it must be a path within the run directory/);
    },
  );

  test('artefacts within it are not', async () => {
    const file = join(directory, 'inside.ndjson');
    const kept = { ...record('a'), artefacts: 'artefacts/kill..anywhere/@scope/p@1.2.3/.x/-/1000' };
    await writeFile(file, `${JSON.stringify(kept)}\n`);
    expect(await readRecords(file)).toEqual({ records: [kept], torn: false });
  });

  test('what a later version adds is let through', async () => {
    const file = join(directory, 'later.ndjson');
    await appendRecord(file, { ...record('a'), colour: 'blue' } as ReturnType<typeof record>);
    expect((await readRecords(file)).records).toEqual([{ ...record('a'), colour: 'blue' }]);
  });

  test('a trial that is there twice is an error that names both lines', async () => {
    const file = join(directory, 'doubled.ndjson');
    for (const id of ['a', 'b', 'a']) await appendRecord(file, record(id));
    await expect(readRecords(file)).rejects.toThrow(/doubled\.ndjson:3: trial a is there already, in line 1/);
  });

  test('the golden run and the trial of the null campaign with its seed are two', async () => {
    const file = join(directory, 'seed-0.ndjson');
    const undisturbed = record('c/no-faults/k/-/0');
    for (const _ of [1, 2]) await appendRecord(file, { ...undisturbed, scenario: 'no-faults' });
    expect((await readRecords(file)).records).toHaveLength(2);
    await appendRecord(file, { ...undisturbed, scenario: 'no-faults' });
    await expect(readRecords(file)).rejects.toThrow(/seed-0\.ndjson:3: .* in line 2/);
  });

  test('a foreign version is an error with a remedy', async () => {
    const file = join(directory, 'foreign.ndjson');
    await writeFile(file, '{"schema":"crash-campaign/trial@9"}\n');
    await expect(readRecords(file)).rejects.toThrow(/trial@9": read it with the version of crash-campaign that wrote it/);
  });

  test('a missing file is said to be missing', async () => {
    await expect(readRecords(join(directory, 'none'))).rejects.toThrow('there is no such file');
  });
});

describe('digest', () => {
  const [spawn, said] = history.entries as [Entry, Entry];

  test('does not depend on the order of keys', () => {
    const shuffled = Object.fromEntries(Object.entries(spawn).reverse()) as Entry;
    expect(Object.keys(shuffled)).not.toEqual(Object.keys(spawn));
    expect(digestOf({ entries: [shuffled, said] })).toBe(digestOf(history));
  });

  test('depends on every value and on the order of entries', () => {
    expect(digestOf({ entries: [said, spawn] })).not.toBe(digestOf(history));
    expect(digestOf({ entries: [spawn, { ...said, t_ms: 1.501 }] })).not.toBe(digestOf(history));
  });

  test('is the same after being written and read', async () => {
    const file = join(directory, 'digest.ndjson');
    await writeHistory(file, history);
    expect(digestOf(await readHistory(file))).toBe(digestOf(history));
  });

  test('of a run does not depend on the order in which its trials ended', () => {
    const [a, b] = [
      { id: 'a', digest: '1' },
      { id: 'b', digest: '2' },
    ];
    expect(digestOfTrials([b, a])).toBe(digestOfTrials([a, b]));
    expect(
      digestOfTrials([
        { ...a, digest: '2' },
        { ...b, digest: '1' },
      ]),
    ).not.toBe(digestOfTrials([a, b]));
  });
});
