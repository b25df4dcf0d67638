/**
 * A/A: a version is compared with itself, again and again, with other seeds on either side, so that whatever is found is chance. Then something is made worse on one side, and how often
 * it is seen says what a number of seeds is worth. The trials are drawn from a run under sim, as if each were one of a real clock: no seed is held against itself.
 *
 *     npm run bench -- aa [run-directory [n]]      default: 600 seeds of fence-lock are run first, which takes some minutes; 50 and 200 pairs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Comparison, compareSides } from '../../src/compare/compare.ts';
import type { Margin } from '../../src/compare/margin.ts';
import type { Outcome } from '../../src/compare/outcome.ts';
import type { Side } from '../../src/compare/pair.ts';
import { type ComparedRun, readRun } from '../../src/compare/read-run.ts';
import { marginText } from '../../src/compare/reasons.ts';
import { stream } from '../../src/random/stream.ts';

const REPETITIONS = 200;
const { next } = stream('bench', 'aa');

const NOTHING = 'nothing (A/A)';

/** What is planted into the contender's outcomes. */
const PLANTS: Record<string, (outcome: Outcome) => Outcome> = {
  [NOTHING]: (outcome) => outcome,
  'takeover +20 %': (outcome) => later(outcome, (outcome.recoveryMs ?? 0) * 0.2),
  'lease 30 → 33 s': (outcome) => (outcome.leftLockBehind ? later(outcome, 3000) : outcome),
  '2 % never recover': (outcome) => (next() < 0.02 ? { ...outcome, recoveryMs: null, censoredMs: outcome.deadlineMs } : outcome),
};

function later(outcome: Outcome, ms: number): Outcome {
  return { ...outcome, recoveryMs: outcome.recoveryMs === null ? null : outcome.recoveryMs + ms };
}

/** So many outcomes, each drawn from all of them: both sides are of one and the same distribution. */
function draw(pool: Outcome[], count: number): Outcome[] {
  return Array.from({ length: count }, () => pool[Math.floor(next() * pool.length)] as Outcome);
}

/** Makes a side of the drawn outcomes: the i-th of both sides are a pair, which have nothing in common but that they are trials. */
function sideOf(run: ComparedRun, subject: string, outcomes: Outcome[]): Side {
  const renamed = outcomes.map((outcome, seed) => ({ ...outcome, scenario: 'drawn', seed, plan: '' }));
  return { run: { ...run, driver: 'live' }, subject, outcomes: renamed };
}

function once(run: ComparedRun, subject: string, n: number, plant: (outcome: Outcome) => Outcome, margin: Margin): Comparison {
  const pool = timed(run, subject);
  return compareSides({ baseline: sideOf(run, subject, draw(pool, n)), contender: sideOf(run, subject, draw(pool, n).map(plant)) }, margin);
}

function timed({ subjects }: ComparedRun, subject: string): Outcome[] {
  return (subjects.get(subject) ?? []).filter(({ verdict, kills }) => verdict !== 'void' && kills > 0);
}

const percent = (count: number) => `${((100 * count) / REPETITIONS).toFixed(1)} %`.padStart(8);

function tell(run: ComparedRun, subject: string, n: number, plant: string, margin: Margin): void {
  const change = PLANTS[plant] as (outcome: Outcome) => Outcome;
  const all = Array.from({ length: REPETITIONS }, () => once(run, subject, n, change, margin));
  const regressed = all.filter(({ decision }) => decision === 'regressed').length;
  const undecided = all.filter(({ decision }) => decision === 'inconclusive').length;
  const significant = all.filter(({ rmstMs, questions }) => (rmstMs?.p ?? 1) < 0.05 || questions.some(({ pHolm }) => (pHolm ?? 1) < 0.05));
  const figures = [regressed, undecided, significant.length].map(percent);
  console.log([subject.padEnd(12), String(n).padStart(4), marginText(margin).padEnd(6), plant.padEnd(18), ...figures].join('  '));
}

const given = process.argv[3];
const sizes = process.argv[4] === undefined ? [50, 200] : [Number(process.argv[4])];
const temporary = given === undefined ? mkdtempSync(join(tmpdir(), 'crash-campaign-aa-')) : null;
try {
  if (temporary !== null) {
    const args = ['run', 'fence-lock', '--scenario', 'kill-any-time', '--subject', 'named', '--seeds', '1000-1599', '--no-controls'];
    await execa(process.execPath, ['bin/crash-campaign.js', ...args, '--out', join(temporary, 'run')], { stdio: 'inherit', reject: false });
  }
  const run = await readRun(given ?? join(temporary as string, 'run'));
  console.log(`${REPETITIONS} comparisons each, of ${run.directory}`);
  console.log('subject         n  margin  planted            regressed  undecided  some p < 0.05');
  for (const [subject] of run.subjects)
    for (const n of sizes) {
      tell(run, subject, n, NOTHING, { relative: 0 });
      for (const plant of Object.keys(PLANTS)) tell(run, subject, n, plant, { relative: 0.05 });
    }
} finally {
  if (temporary !== null) rmSync(temporary, { recursive: true });
}
