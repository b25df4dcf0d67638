import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mergeRuns } from '../../src/campaign-run/merge.ts';
import { readRecords } from '../../src/history/read.ts';
import { record } from '../fixtures/records.ts';
import { golden, identity, writeRun } from '../fixtures/run-directory.ts';

/* Shards are downloaded: what is in them may be anything. */

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crash-campaign-foreign-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const out = () => join(directory, 'out/whole');

function put(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
}

const keeping = (artefacts: string) => ({ records: [golden, record(1), record(2), record(3, { artefacts })] });

test('nothing is written outside of --out', async () => {
  const shard = writeRun(join(directory, 'down/s2'), keeping('../evil'));
  put(join(directory, 'down/evil/x'));
  await expect(mergeRuns([shard], out())).rejects.toThrow(/trials\.ndjson:4: .*artefacts: it must be a path within the run directory/);
  expect(existsSync(join(directory, 'out'))).toBe(false);
});

test('nor through a link that another shard has brought', async () => {
  const first = writeRun(join(directory, 's1'), { records: [golden, record(1, { artefacts: 'artefacts/a' })] });
  const second = writeRun(join(directory, 's2'), { records: [golden, record(2, { artefacts: 'artefacts/a/b/c' })] });
  mkdirSync(join(directory, 'victim'));
  put(join(first, 'artefacts/a/kept'));
  symlinkSync(join(directory, 'victim'), join(first, 'artefacts/a/b'));
  put(join(second, 'artefacts/a/b/c/x'));
  await expect(mergeRuns([first, second], out())).rejects.toThrow(/artefacts\/a\/b: it is a symbolic link/);
  expect(readdirSync(join(directory, 'victim'))).toEqual([]);
});

test('artefacts that were pruned are no hindrance', async () => {
  const shard = writeRun(join(directory, 's1'), keeping('artefacts/a'));
  const notes: string[] = [];
  const { summary } = await mergeRuns([shard], out(), { onNote: (note) => notes.push(note) });
  expect(summary.trials).toMatchObject({ total: 3, held: 3 });
  expect(notes).toEqual([expect.stringMatching(/^the artefacts of one trial are not there any more/)]);
  expect((await readRecords(join(out(), 'trials.ndjson'))).records.map(({ artefacts }) => artefacts)).toEqual([null, null, null, null]);
});

test('shards that were judged by other rules are not of one run', async () => {
  const [first, second] = ['a', 'b'].map((declared) =>
    writeRun(join(directory, declared), { file: { identity: { ...identity, declared } } }),
  ) as [string, string];
  await expect(mergeRuns([first, second], out())).rejects.toThrow(/not parts of one: its campaign declares other timing/);
});
