import { expect, test } from 'vitest';
import type { TrialRecord } from '../../src/history/record.ts';
import { plain } from '../../src/report/paint.ts';
import { exploreText } from '../../src/report/terminal/explore.ts';
import { type Explored, summarise } from '../../src/search/explore-summary.ts';
import { broken, record, voided } from '../fixtures/records.ts';

const defect = { invariant: 'no-duplicate-events', source: 'https://example.org/1' };

function summary(records: TrialRecord[], over: Partial<Explored> = {}, knownDefects: (typeof defect)[] = []) {
  const tried = records.length;
  return summarise(
    {
      campaign: 'c',
      search: 'crashes',
      crash: 'kill',
      subject: 'k',
      variant: null,
      scenario: 'kill-anywhere',
      seed: 7,
      operations: 12,
      levels: [{ depth: 1, points: 24, states: tried, tried }],
      pairs: null,
      trials: records.map((record, index) => ({ record, seenMs: 100 * (index + 1) })),
      interrupted: false,
      wallMs: 1_000,
      ...over,
    },
    [{ name: 'k', knownDefects }],
    { target: 'c', defaultDriver: 'sim' },
  );
}

test('everything recovered is a pass', () => {
  const all = summary([record(1), record(2)]);
  expect(all).toMatchObject({ verdict: 'pass', exitCode: 0, points: 24, states: 2, recovered: 2, reasons: [] });
  expect(exploreText(all, plain)).toContain('depth 1: 24 crash points, 2 distinct states: all tried');
  expect(exploreText(all, plain)).toContain('PASS  2 distinct states, all recovered, in 1.00 s');
});

test('zero points are void, and never a pass', () => {
  expect(summary([], { levels: [{ depth: 1, points: 0, states: 0, tried: 0 }] })).toMatchObject({ verdict: 'void', exitCode: 2 });
  expect(summary([], { levels: [] })).toMatchObject({ verdict: 'void', exitCode: 2 });
});

test('a crash that was never reached makes an exhaustive search void; a schedule that was not is only counted', () => {
  expect(summary([record(1), voided(2)])).toMatchObject({ verdict: 'void', exitCode: 2, void: 1 });
  expect(summary([record(1), voided(2)], { search: 'bounded' })).toMatchObject({ verdict: 'pass', void: 1, recovered: 1 });
  expect(summary([voided(1), voided(2)], { search: 'bounded' })).toMatchObject({ verdict: 'void', exitCode: 2 });
});

test('what was interrupted is no pass', () => {
  expect(summary([record(1)], { interrupted: true })).toMatchObject({ verdict: 'void', interrupted: true });
});

test('an unknown violation fails, a known one is told', () => {
  const trials = [record(1), broken(2, [{ site: 'a' }], { plan: 's1@op#11:kill' }), broken(3, [{ site: 'a' }], { plan: 's1@op#5:kill' })];
  expect(summary(trials)).toMatchObject({
    verdict: 'fail',
    exitCode: 1,
    findings: [
      {
        known: false,
        trials: 2,
        plans: [{ plan: 's1@op#5:kill' }, { plan: 's1@op#11:kill', operation: 'rename ledger/3.jsonl' }],
        firstTrial: 2,
        firstMs: 200,
      },
    ],
  });
  expect(summary(trials, {}, [defect])).toMatchObject({ verdict: 'pass', exitCode: 0, findings: [{ known: true, source: defect.source }] });
  expect(summary(trials).findings[0]?.replay).toMatch(/--seed \d --plan 's1@op#\d+:kill'$/);
});

test('a sample of schedules states what it excludes', () => {
  const levels = [{ depth: 2, points: 3_000, states: 3_000, tried: 3_000 }];
  const pct = summary(
    [...Array(3_000)].map((_, seed) => record(seed)),
    { search: 'pct', levels },
  );
  expect(exploreText(pct, plain)).toContain('no failure in 3,000 trials: fewer than 1 in 1,000 at 95 %');
  expect(exploreText(summary([record(1)], { levels: [{ depth: 1, points: 50, states: 20, tried: 1 }] }), plain)).toContain(
    '50 crash points, 20 distinct states: 1 of them tried, seed 7',
  );
});
