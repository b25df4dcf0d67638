/**
 * Time and memory of `report` and `compare` over 100,000 records, each in a process of its own.
 *
 *     npm run bench -- records [count]
 */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { printRunFile, runFileOf } from '../../src/campaign-run/run-file.ts';
import { trialOf } from '../compare/sides.ts';
import { measured } from '../measured.ts';

const COUNT = Number(process.argv[3] ?? 100_000);
const SUBJECTS = ['a', 'b'];

const directory = mkdtempSync(join(tmpdir(), 'crash-campaign-records-'));
try {
  const run = join(directory, 'run');
  mkdirSync(run);
  const facts = {
    target: 'c',
    defaultDriver: 'sim' as const,
    campaign: 'c',
    driver: 'sim' as const,
    scenarios: [{ name: 'kill-anywhere' }],
    subjects: SUBJECTS.map((name) => ({ name })),
    variants: [],
    invariants: [],
    forged: null,
    nullCampaign: null,
    wallMs: 1,
    runDirectory: run,
  };
  writeFileSync(join(run, 'run.json'), printRunFile(runFileOf(facts, { finished: true, goldenRuns: 0 })));
  const file = createWriteStream(join(run, 'trials.ndjson'));
  for (let seed = 0; seed < COUNT / SUBJECTS.length; seed++)
    for (const subject of SUBJECTS) {
      const trial = trialOf(seed, { fast_ms: subject === 'a' ? 400 : 420 });
      const record = { ...trial, subject, id: trial.id.replace('/k/', `/${subject}/`), digest: `${seed}`.padStart(64, '0') };
      file.write(`${JSON.stringify(record)}\n`);
    }
  file.end();
  await finished(file);
  console.log(`${COUNT.toLocaleString('en')} records, ${(statSync(join(run, 'trials.ndjson')).size / 1e6).toFixed(0)} MB`);
  for (const args of [
    ['report', run],
    ['compare', run, '--subject', 'a,b'],
    ['report', run, '--reporter', `junit=${join(directory, 'run.xml')}`],
    ['report', run, '--reporter', `ndjson=${join(directory, 'run.ndjson')}`],
    ['report', run, '--reporter', `html=${join(directory, 'run.html')}`],
  ]) {
    const { exitCode, wall_ms, cpu_ms, peak_mb } = await measured(args);
    const name = args
      .filter((word) => word !== run)
      .join(' ')
      .replaceAll(`${directory}/`, '');
    console.log(
      `${name}: ${(wall_ms / 1000).toFixed(1)} s, ${(cpu_ms / 1000).toFixed(1)} s of CPU, ${peak_mb.toFixed(0)} MB, exit code ${exitCode}`,
    );
  }
} finally {
  rmSync(directory, { recursive: true });
}
