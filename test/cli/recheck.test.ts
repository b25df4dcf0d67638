import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrialRecord } from '../../src/history/record.ts';
import { cli, TOY } from './cli.ts';

let directory: string;
let run: string;
const json = (text: unknown) => JSON.parse(String(text));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-recheck-'));
  const made = join(directory, 'made');
  await cli(['run', TOY, '--keep', 'all', '--seeds', '1', '--out', made]);
  // As an artefact that was downloaded: elsewhere, and named by a relative path.
  run = join(directory, 'downloaded');
  await rename(made, run);
});
afterAll(() => rm(directory, { recursive: true }));

/** A copy of the run whose records are changed. */
async function changed(name: string, change: (record: TrialRecord) => Partial<TrialRecord>): Promise<string> {
  const copy = join(directory, name);
  await cp(run, copy, { recursive: true });
  const file = join(copy, 'trials.ndjson');
  const records = (await readFile(file, 'utf8')).trim().split('\n').map(json);
  await writeFile(file, records.map((record) => `${JSON.stringify({ ...record, ...change(record) })}\n`).join(''));
  return copy;
}

const isControl = ({ variant }: TrialRecord) => variant !== null;

describe('recheck', () => {
  test('of a run by the same checkers changes nothing, from another folder too', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const path = relative(root, run);
    const report = await cli(['report', path, '--json']);
    expect(json(report.stdout)).toMatchObject({ verdict: 'pass', runDirectory: path });
    const { exitCode, stdout } = await cli(['recheck', path, '--json']);
    expect(exitCode).toBe(0);
    expect(json(stdout)).toMatchObject({
      schema: 'crash-campaign/recheck@1',
      before: 'pass',
      verdict: 'pass',
      histories: 4,
      withoutHistory: 0,
      changed: [],
      exitCode: 0,
    });
    const text = await cli(['recheck', path]);
    expect(text.stdout).toMatch(/^4 histories judged again, 0 trials judged otherwise\n\nPASS {2}as before$/m);
  });

  test('says what is seen now and was not then, and what that makes of the verdict', async () => {
    const overlooked = await changed('overlooked', (record) => (isControl(record) ? { verdict: 'held', violations: [] } : {}));
    expect((await cli(['report', overlooked])).exitCode).toBe(3);
    const { exitCode, stdout } = await cli(['recheck', overlooked, '--json']);
    expect(exitCode).toBe(0);
    expect(json(stdout)).toMatchObject({ before: 'blind', verdict: 'pass', changed: [{ before: 'held', after: 'broken', gone: [] }] });
    const [{ found }] = json(stdout).changed;
    expect(found.map(({ invariant }: { invariant: string }) => invariant)).toContain('no-duplicate-events');
  });

  test('and what was seen then and is not now', async () => {
    const violation = { invariant: 'no-debris', message: 'it was a false alarm', sessions: [], entries: [] };
    const alarm = await changed('alarm', (record) => (isControl(record) ? {} : { verdict: 'broken', violations: [violation] }));
    const { exitCode, stdout } = await cli(['recheck', alarm]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^toy\/kill-at-third-event\/toy\/-\/1 {2}broken → held\n {2}- no-debris: it was a false alarm$/m);
    expect(stdout).toMatch(/^FAIL → PASS$/m);
  });

  test('a history that is not the one that was judged is refused', async () => {
    const other = await changed('other', (record) => (isControl(record) ? { digest: '0'.repeat(64) } : {}));
    const { exitCode, stderr } = await cli(['recheck', other]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: expect.stringMatching(/history\.ndjson: it is not the history that trial/),
    });
  });

  test('without any history there is nothing to say, and that is no pass', async () => {
    const bare = await changed('bare', () => ({ artefacts: null }));
    expect(await cli(['recheck', bare])).toMatchObject({ exitCode: 2, stdout: expect.stringMatching(/no history was kept/) });
  });

  test('invariants that nobody here knows are asked for', async () => {
    const foreign = await changed('foreign', () => ({}));
    const file = join(foreign, 'run.json');
    const facts = json(await readFile(file, 'utf8'));
    facts.facts.invariants.push('ledger-is-dense');
    facts.facts.target = 'not/here';
    await writeFile(file, JSON.stringify(facts));
    const { exitCode, stderr } = await cli(['recheck', foreign]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringMatching(/judged by ledger-is-dense, .*--campaign/) });
    expect((await cli(['recheck', foreign, '--campaign', TOY])).stdout).toMatch(/^4 histories judged again, 0 trials judged otherwise/);
  });
});

describe('a run that was tampered with is refused by whatever reads it', () => {
  test.each([
    ['a doubled file', (text: string) => text + text, /trials\.ndjson:\d+: trial .* is there already, in line \d+/],
    ['a hollow record', (text: string) => `${text}{"schema":"crash-campaign/trial@1","id":"x"}\n`, /not a whole one: campaign/],
  ])('%s', async (name, change, message) => {
    const copy = await changed(name.replaceAll(' ', '-'), () => ({}));
    const file = join(copy, 'trials.ndjson');
    await writeFile(file, change(await readFile(file, 'utf8')));
    for (const args of [
      ['report', copy],
      ['recheck', copy],
      ['compare', copy, copy],
      ['replay', TOY, '--record', file],
    ])
      expect(await cli(args), args.join(' ')).toMatchObject({ exitCode: 64, stdout: '', stderr: expect.stringMatching(message) });
  });
});
