import { expect, test } from 'vitest';
import type { TrialRecord } from '../../src/history/record.ts';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import { survivalOf } from '../../src/judge/survival.ts';
import { takeoversOf } from '../../src/judge/takeover.ts';
import { runPage } from '../../src/report/html/run-page.ts';
import { runSections } from '../../src/report/markdown/run.ts';
import { plain } from '../../src/report/paint.ts';
import { terminalReport } from '../../src/report/terminal/terminal.ts';
import { broken, kill, record, voided } from '../fixtures/records.ts';

const known = { invariant: 'finishes', source: 'its issue 1' };
const subjects = [
  { name: 'a', notApplicable: { 'late-unlink': 'its file stays' } },
  { name: 'b', knownDefects: [known] },
];
const scenarios = [{ name: 'kill-anywhere' }, { name: 'late-unlink' }];
const late = { scenario: 'late-unlink' };

const judge = (records: TrialRecord[]) =>
  judgeRun(records, {
    campaign: 'c',
    target: 'c',
    driver: 'sim',
    defaultDriver: 'sim',
    ttlMs: 30_000,
    scenarios,
    subjects,
    variants: [],
    invariants: [],
    forged: null,
    nullCampaign: null,
    wallMs: 0,
    runDirectory: '',
  });

test('a cell for each subject and scenario, with what broke or why it does not apply', () => {
  const records = [
    record(1, { subject: 'a' }),
    voided(2, { subject: 'a' }),
    broken(1, [{ invariant: 'finishes' }, { invariant: 'finishes' }], { subject: 'b' }),
    record(2, { subject: 'b' }),
    broken(1, [{ invariant: 'finishes' }, { invariant: 'no-debris' }], { subject: 'b', ...late }),
  ];
  expect(survivalOf(records, { scenarios, subjects })).toEqual([
    { scenario: 'kill-anywhere', subject: 'a', is: 'held', what: [], trials: 1, broken: 0 },
    { scenario: 'kill-anywhere', subject: 'b', is: 'known', what: ['finishes'], trials: 2, broken: 1 },
    { scenario: 'late-unlink', subject: 'a', is: 'not-applicable', what: ['its file stays'], trials: 0, broken: 0 },
    { scenario: 'late-unlink', subject: 'b', is: 'broken', what: ['finishes', 'no-debris'], trials: 1, broken: 1 },
  ]);
  expect(survivalOf([voided(1, { subject: 'b', ...late })], { scenarios: [{ name: 'late-unlink' }], subjects })[1]).toMatchObject({
    is: 'void',
  });
});

test('of a takeover the median counts, over the kills that left the lock behind', () => {
  const records = [
    record(1, { subject: 'a', kills: [kill(30_000, true), kill(1, false)] }),
    record(2, { subject: 'a', kills: [kill(32_000, true)] }),
    record(3, { subject: 'a', kills: [kill(null, true)] }),
  ];
  expect(takeoversOf(records, { subjects, ttlMs: 30_000 })).toEqual([
    { subject: 'a', kills: 2, medianMs: 31_000, ttlMs: 30_000 },
    { subject: 'b', kills: 0, medianMs: null, ttlMs: 30_000 },
  ]);
});

test('every form of a report has the table, where there is something to be compared', () => {
  const records = [record(1, { subject: 'a' }), broken(1, [{ invariant: 'finishes' }], { subject: 'b' })];
  const run = judge(records);
  const forms = (of: typeof run) => [
    terminalReport(of, records, plain),
    runSections(of).join('\n'),
    runPage({ run: of, records, histories: new Map() }),
  ];
  for (const text of forms(run)) expect(text).toMatch(/known 1\/1[\s\S]*31\.0 s \/ 30\.0 s|31\.0 s \/ 30\.0 s[\s\S]*known 1\/1/);
  const one = { ...run, survival: (run.survival ?? []).filter(({ subject }) => subject === 'a') };
  for (const text of forms(one)) expect(text).not.toContain('What each survives');
});

test('a scenario that does not apply is no reason for doubt, and one without trials is', () => {
  const all = [record(1, { subject: 'a' }), record(1, { subject: 'b' }), record(1, { subject: 'b', ...late })];
  expect(judge(all)).toMatchObject({
    verdict: 'pass',
    scenarios: [{ subject: 'a' }, { subject: 'b' }, { name: 'late-unlink', subject: 'b' }],
  });
  expect(judge(all.slice(0, 2)).reasons).toEqual(['late-unlink of b has no trials: give it seeds']);
});
