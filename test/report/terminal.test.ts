import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { paintFor, plain } from '../../src/report/paint.ts';
import { terminalReport } from '../../src/report/terminal/terminal.ts';
import { records, run } from './run.ts';

test('a run, printed', () => {
  expect(terminalReport(run, records, plain)).toMatchInlineSnapshot(`
    "toy under sim

    Trials
    scenario               trials  held  broken  void  kills  lock left     p50     p90     max
    ───────────────────────────────────────────────────────────────────────────────────────────
    kill-anywhere               5     3       1     1      4          2  15.3 s  31.1 s  31.1 s
    takeover-after-expiry       0     0       0     0      0          0       –       –       –

    Kills and the lock
    trials whose kill …   trials  recovery min – max  trial min – max
    ─────────────────────────────────────────────────────────────────
    left the lock behind       2     30.1 s – 31.1 s  31.1 s – 32.1 s
    did not                    2              400 ms           1.40 s
    whole campaign: 6 trials, controls included, in 2.31 s, 96.4 s of virtual time

    Where faults landed
    faults landed while  idle  acquiring  holding  writing  renewing  releasing  recovering
    ───────────────────────────────────────────────────────────────────────────────────────
    kill-anywhere           2          ·        2        1         ·          ·           ·

    killed at           kills
    ─────────────────────────
    write ledger.jsonl      3
    mkdir lock              1

    Negative controls
    control          must                                                caught  first catch
    ────────────────────────────────────────────────────────────────────────────────────────
    without-ttl      break recovers-within                                  1/1      trial 1
    without-fencing  break no-write-after-theft and no-duplicate-events    0/10        never

    Findings
    broken no-duplicate-events in 1 trial, e.g. kill-anywhere, toy, seed 1004
      event w2.1 is accepted twice: ledger/1.jsonl:3 by s1, ledger/2.jsonl:1 by s2
      plan    s1@op#3:kill
      replay  npx crash-campaign replay toy --scenario kill-anywhere --plan 's1@op#3:kill'

    Void trials
       1 ×  fault 1 was never reached  e.g. kill-anywhere, seed 1003

    FAIL  5 trials: 3 held, 1 broken, 1 void
      no-duplicate-events broke in 1 trial
      next: replay a finding with --timeline to see what happened
      reports/runs/toy-1
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
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(100);
});
