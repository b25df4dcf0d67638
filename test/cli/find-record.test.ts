import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { printRunFile, runFileOf } from '../../src/campaign-run/run-file.ts';
import { findRecord } from '../../src/cli/find-record.ts';
import { broken, landed, record } from '../fixtures/records.ts';
import { facts } from '../report/run.ts';

const known = { invariant: 'state-parses', source: '#121' };
const plan = (...faults: string[]) => ({ plan: faults.join('  '), landed: faults.map((fault) => landed(fault)) });
const dies = { invariant: 'robbed-session-dies', site: 's1' };
/** In the order in which they ended. */
const records = [
  record(1),
  broken(2, [{ invariant: 'state-parses' }]),
  broken(3, [dies, { invariant: 'finishes' }], plan('s1@op#5:pause=until:s2@end', 't=+31s:rival')),
  broken(4, [dies, { invariant: 'finishes' }], plan('s1@op#65:steal')),
  broken(5, [dies], plan('s1@op#7:steal')),
  broken(6, [{ invariant: 'no-debris' }], { variant: 'without-ttl', ...plan('s1@op#1:kill') }),
];

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-find-record-'));
  file = join(directory, 'trials.ndjson');
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
});
afterEach(() => rm(directory, { recursive: true }));

const ofRun = (over: Partial<typeof facts> = {}) =>
  writeFile(
    join(directory, 'run.json'),
    printRunFile(
      runFileOf(
        { ...facts, subjects: [{ name: 'k', knownDefects: [known] }], nullCampaign: null, ...over },
        { finished: true, goldenRuns: 1 },
      ),
    ),
  );

test("a run's first finding, by its smallest example, and not the trial that broke first", async () => {
  await ofRun();
  expect(await findRecord(file)).toMatchObject({ record: { seed: 5 }, finding: { invariant: 'robbed-session-dies', trials: 3 } });
});

test("a run's first finding about an invariant", async () => {
  await ofRun();
  expect(await findRecord(file, 'finishes')).toMatchObject({ record: { seed: 4 }, finding: { invariant: 'finishes', trials: 2 } });
  // What a control broke is no finding.
  await expect(findRecord(file, 'no-debris')).rejects.toThrow(/^there is no finding about no-debris\. .*finishes/);
});

test('an example that was made smaller is looked up by the plan that was drawn', async () => {
  const [finding] = [await findRecord(file)].map(({ finding }) => finding);
  if (!finding) throw new Error('no finding');
  await ofRun({ shrunk: [{ ...finding, plan: 's1@acquired#1:steal', from: finding.plan, tried: 3, minimal: true, story: [] }] });
  expect(await findRecord(file)).toMatchObject({ record: { seed: 5 }, finding: { plan: 's1@acquired#1:steal' } });
});

test('records without their run are judged without known defects', async () => {
  await writeFile(
    file,
    `${records
      .slice(0, 2)
      .map((record) => JSON.stringify(record))
      .join('\n')}\n`,
  );
  expect(await findRecord(file)).toMatchObject({ record: { seed: 2 }, finding: { invariant: 'state-parses', known: false } });
});

test('by its id any trial, and a lone one that held', async () => {
  expect(await findRecord(`${file}:c/kill-anywhere/k/without-ttl/6`)).toMatchObject({ record: { seed: 6 }, finding: null });
  await writeFile(file, `${JSON.stringify(record(1))}\n`);
  expect(await findRecord(file)).toMatchObject({ record: { seed: 1 }, finding: null });
});
