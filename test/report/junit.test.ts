import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { junit } from '../../src/report/junit.ts';
import type { Result } from '../../src/report/result.ts';
import { broken, record, voided } from '../fixtures/records.ts';
import { comparisonOf, gateOf, runOf } from './results.ts';

const held = Array.from({ length: 10 }, (_, i) => record(i));
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => ['testsuite', 'testcase'].includes(name),
});

interface Case {
  classname: string;
  name: string;
  failure?: { type: string; message: string; '#text': string };
  error?: { type: string };
}

function parse(result: Result) {
  const xml = junit(result);
  expect(XMLValidator.validate(xml)).toBe(true);
  const { testsuites } = parser.parse(xml);
  const cases: Case[] = testsuites.testsuite.flatMap(({ testcase = [] }: { testcase?: Case[] }) => testcase);
  const { tests, failures, errors } = testsuites;
  return { cases, tests, failures, errors };
}

const bad = ({ failure, error }: Case) => failure !== undefined || error !== undefined;

describe('junit', () => {
  test('a case for each scenario and subject, for each control, and for the verdict', () => {
    const expect_ = { breaks: ['no-duplicate-events'] };
    const control = broken(1, [{}], { variant: 'without-resume' });
    const { cases, tests, failures, errors } = parse(
      runOf([...held, record(1, { scenario: 'contend' }), control], { variants: [{ name: 'without-resume', expect: expect_ }] }),
    );
    expect(cases.map(({ classname, name }) => `${classname} ${name}`)).toEqual([
      'c.k kill-anywhere',
      'c.k contend',
      'c.controls without-resume breaks no-duplicate-events',
      'c verdict',
    ]);
    expect([tests, failures, errors]).toEqual(['4', '0', '0']);
  });

  test('a broken invariant fails its scenario and no other, with the line that replays it', () => {
    const message = 'event <7> & "8" stand twice \u0000\u001b[31m';
    const { cases, failures } = parse(runOf([...held, broken(77, [{ message }]), record(1, { scenario: 'contend' })]));
    const [first, second, verdict] = cases;
    expect(first?.failure).toMatchObject({ type: 'no-duplicate-events', message: expect.stringContaining('event <7> & "8" stand twice') });
    expect(first?.failure?.['#text']).toMatch(
      /replay: npx crash-campaign replay c --scenario kill-anywhere --subject k --seed 77 --plan 's1@op#5:kill'/,
    );
    expect(second && bad(second)).toBe(false);
    expect(verdict?.failure?.type).toBe('fail');
    expect(failures).toBe('2');
  });

  test('a known defect fails nothing', () => {
    const subjects = [{ name: 'k', knownDefects: [{ invariant: 'no-duplicate-events', source: 'https://example.org/1' }] }];
    expect(parse(runOf([...held, broken(77, [{}])], { subjects })).cases.filter(bad)).toEqual([]);
  });

  test('too many void trials are an error, a control that is not caught is a failure', () => {
    const variants = [{ name: 'unchanged', expect: { breaks: ['no-duplicate-events'] } }];
    const { cases } = parse(
      runOf([...held, ...[50, 51, 52].map((seed) => voided(seed)), record(1, { variant: 'unchanged' })], { variants }),
    );
    expect(cases[0]?.error?.type).toBe('void');
    expect(cases[1]?.failure?.type).toBe('blind');
  });

  test.each<[string, Result, number]>([
    ['a run that passes', runOf(), 0],
    ['one without trials', runOf([]), 2],
    ['one that is void for a quota only', runOf(held, { scenarios: [{ name: 'kill-anywhere', quotas: { renewing: 5 } }] }), 2],
    ['one whose checker is blind', runOf(held, { forged: [{ invariant: 'no-duplicate-events', result: 'accepted', trial: null }] }), 3],
    ['a comparison that is ok', comparisonOf({}, {}), 0],
    ['one that regressed', comparisonOf({}, { lease_ms: 40_000 }), 1],
    ['one that is inconclusive', comparisonOf({}, {}, 3), 2],
    ['a gate whose recovery regressed', gateOf(runOf(), comparisonOf({}, { lease_ms: 40_000 })), 1],
    ['a gate that passes', gateOf(runOf(), comparisonOf({}, {})), 0],
  ])('is green when the exit code is 0, and only then: %s', (_, result, exitCode) => {
    const said = result.of === 'run' ? result.summary : result.of === 'gate' ? result.gate : result.comparison;
    expect(said.exitCode).toBe(exitCode);
    expect(parse(result).cases.some(bad)).toBe(exitCode !== 0);
  });
});
