import { expect, test } from 'vitest';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import { survivalOf } from '../../src/judge/survival.ts';
import { broken, record, voided } from '../fixtures/records.ts';

const known = { invariant: 'finishes', source: 'its issue 1' };
const subjects = [
  { name: 'a', notApplicable: { 'late-unlink': 'its file stays' } },
  { name: 'b', knownDefects: [known] },
];
const scenarios = [{ name: 'kill-anywhere' }, { name: 'late-unlink' }];
const late = { scenario: 'late-unlink' };

test('a cell for each subject and scenario, with what broke or why it does not apply', () => {
  const records = [
    record(1, { subject: 'a' }),
    voided(2, { subject: 'a' }),
    broken(1, [{ invariant: 'finishes' }, { invariant: 'finishes' }], { subject: 'b' }),
    record(2, { subject: 'b' }),
    broken(1, [{ invariant: 'finishes' }, { invariant: 'no-debris' }], { subject: 'b', ...late }),
  ];
  expect(survivalOf(records, { scenarios, subjects })).toEqual([
    { scenario: 'kill-anywhere', subject: 'a', is: 'held', what: [] },
    { scenario: 'kill-anywhere', subject: 'b', is: 'known', what: ['finishes'] },
    { scenario: 'late-unlink', subject: 'a', is: 'not-applicable', what: ['its file stays'] },
    { scenario: 'late-unlink', subject: 'b', is: 'broken', what: ['finishes', 'no-debris'] },
  ]);
  expect(survivalOf([voided(1, { subject: 'b', ...late })], { scenarios: [{ name: 'late-unlink' }], subjects })[1]).toMatchObject({
    is: 'void',
  });
});

test('of one subject there is nothing to be compared', () => {
  expect(survivalOf([record(1)], { scenarios, subjects: [{ name: 'k' }] })).toEqual([]);
});

test('a scenario that does not apply is no reason for doubt, and one without trials is', () => {
  const facts = {
    campaign: 'c',
    target: 'c',
    driver: 'sim',
    defaultDriver: 'sim',
    scenarios,
    subjects,
    variants: [],
    invariants: [],
    forged: null,
    nullCampaign: null,
    wallMs: 0,
    runDirectory: '',
  } as const;
  const all = [record(1, { subject: 'a' }), record(1, { subject: 'b' }), record(1, { subject: 'b', ...late })];
  const judge = (records: typeof all) => judgeRun(records, { ...facts, scenarios: [...scenarios], subjects, variants: [], invariants: [] });
  expect(judge(all)).toMatchObject({
    verdict: 'pass',
    scenarios: [{ subject: 'a' }, { subject: 'b' }, { name: 'late-unlink', subject: 'b' }],
  });
  expect(judge(all.slice(0, 2)).reasons).toEqual(['late-unlink of b has no trials: give it seeds']);
});
