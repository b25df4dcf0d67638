import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeRuns } from '../../src/campaign-run/merge.ts';
import type { RunOutcome } from '../../src/campaign-run/run.ts';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import type { RunSummary } from '../../src/judge/run-summary.ts';
import { runToy, trialsOf } from './toy-run.ts';

const OF = 8;

let directory: string;
let whole: RunOutcome;
let shards: RunOutcome[];

const shard = (index: number) => join(directory, `shard-${index}`);
const all = Array.from({ length: OF }, (_, i) => i + 1);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-merge-'));
  whole = await runToy(join(directory, 'whole'));
  shards = [];
  for (const index of all) shards.push(await runToy(shard(index), { shard: { index, of: OF, durations: join(directory, 'whole') } }));
});
afterAll(() => rm(directory, { recursive: true }));

let merges = 0;
const merge = (...directories: string[]) => mergeRuns(directories, join(directory, `merged-${++merges}`));
const lasting = ({ wallMs: _, runDirectory: __, ...summary }: RunSummary) => summary;

test('eight shards are the run that was not sharded', async () => {
  const { summary, records } = await merge(...all.map(shard));
  expect(lasting(summary)).toEqual(lasting(whole.summary));
  expect(summary.digest).toBe(whole.summary.digest);
  expect(records.map(({ id }) => id).sort()).toEqual(whole.records.map(({ id }) => id).sort());
  expect((await judgeAgain(summary.runDirectory)).summary).toEqual(summary);
});

test('a shard by itself is held to what a part can be held to', () => {
  for (const { summary } of shards) {
    expect(summary.verdict).toBe('pass');
    expect(summary.notes).toContainEqual(expect.stringMatching(/^shard \d of 8: controls, quotas and void trials are judged when/));
  }
});

test('a shard that is missing makes the whole void, and is named', async () => {
  const { summary } = await merge(...all.filter((index) => index !== 3 && index !== 5).map(shard));
  expect(summary).toMatchObject({ verdict: 'void', exitCode: 2 });
  expect(summary.reasons).toEqual([expect.stringMatching(/^\d+ of 9 trials are missing \(of shard 3, 5\)/)]);
});

test('shards that overlap count once', async () => {
  const { summary } = await merge(...all.map(shard), shard(2));
  const { notes, ...rest } = lasting(summary);
  const { notes: expected, ...same } = lasting(whole.summary);
  expect(rest).toEqual(same);
  expect(notes).toEqual([expect.stringMatching(/^\d trials? (was|were) in more than one of the merged runs$/), ...expected]);
});

test('two histories of one trial under sim are a determinism bug, and no pass', async () => {
  const other = join(directory, 'other');
  await cp(shard(2), other, { recursive: true });
  const lines = (await readFile(trialsOf(other), 'utf8')).trim().split('\n');
  const changed = JSON.parse(lines.at(-1) ?? '');
  await writeFile(trialsOf(other), `${[...lines.slice(0, -1), JSON.stringify({ ...changed, digest: 'another' })].join('\n')}\n`);
  const { summary } = await merge(...all.map(shard), other);
  expect(summary).toMatchObject({ verdict: 'void', exitCode: 2, determinism: { different: [{ id: changed.id, difference: null }] } });
  expect(summary.reasons).toEqual([expect.stringContaining('determinism bug')]);
});

test('what does not belong together is not merged', async () => {
  await expect(merge(shard(1), join(directory, 'whole'))).rejects.toThrow(/one is shard 1 of 8, and the other a whole run/);
  const other = join(directory, 'other-kernel');
  await cp(shard(2), other, { recursive: true });
  const text = await readFile(join(other, 'run.json'), 'utf8');
  await writeFile(join(other, 'run.json'), text.replace(/"kernels": "[0-9a-f]+"/, '"kernels": "another"'));
  await expect(merge(shard(1), other)).rejects.toThrow(/not parts of one: the kernel has changed since/);
});
