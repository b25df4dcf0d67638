import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecords } from '../../src/history/read.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { cli } from './cli.ts';

const FORGETFUL = 'test/fixtures/cli/toy-forgetful';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-pin-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function run(name: string, ...args: string[]): Promise<{ file: string; records: TrialRecord[] }> {
  const out = join(directory, name);
  await cli(['run', FORGETFUL, '--seeds', '1', '--no-controls', '--out', out, ...args]);
  const file = join(out, 'trials.ndjson');
  return { file, records: (await readRecords(file)).records };
}

test('a trial that broke under live breaks under sim, killed at the operation at which it was killed', async () => {
  const live = await run('live', '--driver', 'live', '--probe');
  const [golden, broken] = live.records as [TrialRecord, TrialRecord];
  expect([golden.numbering, golden.verdict, broken.verdict]).toEqual(['operations', 'held', 'broken']);

  // The probe numbers as the conductor does, and a session that waits for nothing does the same under both.
  const sim = await run('sim');
  expect(golden.ends[0]?.last_operation).toMatchObject({ n: sim.records[0]?.operations, kind: 'unlink', path: 'lock', done: true });

  const { exitCode, stdout } = await cli(['replay', FORGETFUL, '--record', live.file, '--pin', '--times', '2', '--json']);
  const { kind = '', path = '', nth = 0, done = false } = broken.ends.find(({ how }) => how === 'killed')?.last_operation ?? {};
  const summary = JSON.parse(String(stdout));
  expect(exitCode).toBe(1);
  expect(summary).toMatchObject({ reproduced: 2, of: 2, trial: { driver: 'sim' }, pin: { reproduced: true } });
  expect(new Set(summary.digests).size).toBe(1);
  // Within an operation it may have been either edge.
  expect(summary.pin.plan).toMatch(new RegExp(`^s1@${kind}\\(${path.replace('.', '\\.')}\\)#${nth}${done ? '\\+' : '\\+?'}:kill$`));
  expect(summary.pin.replay).toContain(`--plan '${summary.pin.plan}'`);
});

test('what was run without a probe, or under sim, is not pinned', async () => {
  const [clock, sim] = await Promise.all([run('clock', '--driver', 'live'), run('sim-again')]);
  expect(clock.records[0]).toMatchObject({ numbering: 'clock' });
  expect(await cli(['replay', FORGETFUL, '--record', clock.file, '--pin'])).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('run it with --driver live --probe'),
  });
  expect(await cli(['replay', FORGETFUL, '--record', sim.file, '--pin'])).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('replay it without --pin'),
  });
  expect(await cli(['run', FORGETFUL, '--probe'])).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('--driver live') });
});
