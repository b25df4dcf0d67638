import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { TrialRecord } from '../../src/history/record.ts';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import { paintFor, plain } from '../../src/report/paint.ts';
import { lockLeftBehindTable } from '../../src/report/terminal/lock-left-behind.ts';
import { terminalReport } from '../../src/report/terminal/terminal.ts';
import { facts, records, run, trial } from './run.ts';

test('a run, printed', () => {
  expect(terminalReport(run, records, plain)).toMatchInlineSnapshot(`
    "toy under sim

    Trials
    scenario               trials  held  broken  void  kills  lock left     p50     p90     max
    ───────────────────────────────────────────────────────────────────────────────────────────
    kill-anywhere               5     3       1     1      4          2  15.3 s  30.8 s  31.1 s
    takeover-after-expiry       0     0       0     0      0          0       –       –       –

    Kills and the lock
    trials whose kill …   trials  recovery min – max  trial min – max
    ─────────────────────────────────────────────────────────────────
    left the lock behind       2     30.1 s – 31.1 s  31.1 s – 32.1 s
    did not                    2              400 ms           1.40 s
    whole campaign: 6 trials, golden runs and controls included, in 2.31 s, 68.8 s of virtual time

    Where faults landed
    faults landed while    idle  acquiring  holding  writing  renewing  releasing  recovering
    ─────────────────────────────────────────────────────────────────────────────────────────
    kill-anywhere             2          ·        2        ·         ·          ·           ·
    takeover-after-expiry     ·          ·        ·        ·         ·          ·           ·

    killed at           kills
    ─────────────────────────
    write ledger.jsonl      4

    Controls
    control          expected                                             caught  first catch
    ─────────────────────────────────────────────────────────────────────────────────────────
    without-ttl      breaks recovers-within                                  1/1      trial 1
    without-fencing  breaks no-write-after-theft and no-duplicate-events     0/0        never
    forged histories: 1 of 1 rejected
    null campaign: 1 trial without faults, 0 hits, 0 broken

    Findings
    broken  no-duplicate-events by toy, in 1 trial
      event w2.1 is accepted twice: ledger/1.jsonl:3 by s1, ledger/2.jsonl:1 by s2
      plan    s1@op#3:kill
      replay  npx crash-campaign replay toy --scenario kill-anywhere --subject toy --seed 1004 --plan 's1@op#3:kill'

    Void trials
       1 ×  fault 1 was never reached (e.g. kill-anywhere, seed 1003)

    FAIL  5 trials: 3 held, 1 broken, 1 void
      • toy broke no-duplicate-events in 1 trial: see Findings, and with --timeline what happened
      • control without-fencing (breaks no-write-after-theft and no-duplicate-events) was caught 0 of 0
        times: 0 of its 0 trials were void, so it was hardly tried: see why they are void
      • 1 of 5 trials of kill-anywhere are void (fault 1 was never reached): aim its faults at what
        every trial reaches
      • takeover-after-expiry has no trials: give it seeds
      • 0 trials of takeover-after-expiry have a fault while holding, and its quota is 5: draw more of
        its places there, or run more seeds
      note: no history of this run had a place for a forged violation of recovers-within: not tried by
            forging
      records: reports/runs/2026-01-01T00-00-00-toy
    "
  `);
});

test('not one ANSI byte into a pipe, and the same text with colours stripped', () => {
  const piped = terminalReport(run, records, paintFor(new PassThrough()));
  expect(piped).not.toContain('\u001b');
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 });
  const coloured = terminalReport(run, records, paintFor(terminal));
  expect(coloured).toContain('\u001b[');
  expect(stripVTControlCharacters(coloured)).toBe(piped);
});

test('keeps to 100 columns', () => {
  const widths = terminalReport(run, records, plain)
    .split('\n')
    // A command stays on one line, so that it can be pasted.
    .filter((line) => !line.startsWith('  replay '))
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(100);
});

test('what a variant breaks of which nothing is expected stands apart, behind what the kernel itself breaks', () => {
  const [own] = records.filter(({ variant, verdict }) => variant === null && verdict === 'broken') as [TrialRecord];
  const slower = [1005, 1006].map((seed) => trial({ ...own, seed, id: `toy/kill-anywhere/toy/slower/${seed}`, variant: 'slower' }));
  const all = [...records, ...slower];
  const printed = terminalReport(judgeRun(all, { ...facts, variants: [...facts.variants, { name: 'slower' }] }), all, plain);
  expect(printed.slice(printed.indexOf('Findings'), printed.indexOf('Void trials'))).toMatchInlineSnapshot(`
    "Findings
    broken  no-duplicate-events by toy, in 1 trial
      event w2.1 is accepted twice: ledger/1.jsonl:3 by s1, ledger/2.jsonl:1 by s2
      plan    s1@op#3:kill
      replay  npx crash-campaign replay toy --scenario kill-anywhere --subject toy --seed 1004 --plan 's1@op#3:kill'

    in variants of which nothing is expected, which do not fail the run:

    broken  no-duplicate-events by toy, variant slower, in 2 trials
      event w2.1 is accepted twice: ledger/1.jsonl:3 by s1, ledger/2.jsonl:1 by s2
      plan    s1@op#3:kill
      replay  npx crash-campaign replay toy --scenario kill-anywhere --subject toy --variant slower --seed 1005 --plan 's1@op#3:kill'

    "
  `);
});

test('several subjects: what each waits for in each scenario, and what it costs when nothing happens', () => {
  const of = (subject: string, scenario: string, about: Parameters<typeof trial>[0]) =>
    trial({ id: `toy/${scenario}/${subject}/-/${about.seed}`, subject, scenario, ...about });
  const calm = { left: false, kills: [], hits: {}, acquisitions: 9 };
  const some = [
    of('slow', 'no-faults', { seed: 0, ...calm, operations: 90, duration_ms: 1000 }),
    of('fast', 'no-faults', { seed: 0, ...calm, operations: 99, duration_ms: 1000 }),
    of('slow', 'kill-anywhere', { seed: 1000, left: true, recovery_ms: 30_100 }),
    of('slow', 'kill-anywhere', { seed: 1001, left: true, recovery_ms: 31_000 }),
    of('fast', 'kill-anywhere', { seed: 1000, left: true, recovery_ms: 70 }),
    of('fast', 'kill-anywhere', { seed: 1001 }),
  ];
  const subjects = [{ name: 'slow' }, { name: 'fast' }];
  const printed = terminalReport(judgeRun(some, { ...facts, scenarios: [{ name: 'kill-anywhere' }], subjects }), some, plain);
  expect(printed.slice(printed.indexOf('Kills and the lock'), printed.indexOf('Where faults landed'))).toMatchInlineSnapshot(`
    "Kills and the lock
    trials whose kill …  subject  left it         recovery       those took  did not  those took
    ────────────────────────────────────────────────────────────────────────────────────────────
    kill-anywhere        slow           2  30.1 s – 31.0 s  31.1 s – 32.0 s        0           –
                         fast           1            70 ms           1.07 s        1      1.40 s
    whole campaign: 6 trials, golden runs and controls included, in 2.31 s, 67.6 s of virtual time

    Subjects
    subject  trials  in all  operations per event  per acquisition
    ──────────────────────────────────────────────────────────────
    slow          2  63.1 s                  10.0             10.0
    fast          2  2.47 s                  11.0             11.0
    times are virtual; operations are those of the runs without faults

    "
  `);
});

test('there may be more trials than a call can have arguments', () => {
  const many = Array.from({ length: 150_000 }, (_, i) => trial({ seed: i, left: false, duration_ms: 1000 + (i % 10) }));
  expect(lockLeftBehindTable(run, many, plain)).toMatch(/^did not .* 1\.00 s – 1\.01 s$/m);
});
