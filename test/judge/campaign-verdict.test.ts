import { describe, expect, test } from 'vitest';
import type { TrialRecord } from '../../src/history/record.ts';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import type { RunFacts } from '../../src/judge/run-summary.ts';
import { broken, kill, landed, record, voided } from '../fixtures/records.ts';

const facts: RunFacts = {
  campaign: 'c',
  target: 'c',
  driver: 'sim',
  defaultDriver: 'sim',
  scenarios: [{ name: 'kill-anywhere' }],
  subjects: [{ name: 'k' }],
  variants: [{ name: 'without-resume', expect: { breaks: ['resumes-without-redoing'] } }, { name: 'slower' }],
  invariants: ['no-duplicate-events', 'resumes-without-redoing'],
  forged: [
    { invariant: 'no-duplicate-events', result: 'rejected', trial: 't' },
    { invariant: 'resumes-without-redoing', result: 'rejected', trial: 't' },
  ],
  nullCampaign: [record(1000, { kills: [], hits: {}, landed: [], plan: 'no faults' })],
  wallMs: 5,
  runDirectory: 'reports/runs/x',
};
const caught = broken(1000, [{ invariant: 'resumes-without-redoing' }], { variant: 'without-resume' });
const trials = Array.from({ length: 10 }, (_, i) => record(1000 + i));

const judge = (records: TrialRecord[], over: Partial<RunFacts> = {}) => judgeRun(records, { ...facts, ...over });

test('a pass, with all its figures', () => {
  expect(judge([...trials, caught])).toMatchObject({
    verdict: 'pass',
    exitCode: 0,
    reasons: [],
    notes: [],
    trials: { total: 10, held: 10, broken: 0, void: 0 },
    scenarios: [
      { name: 'kill-anywhere', subject: 'k', trials: { total: 10 }, kills: 10, recoveryMs: { p50: 31_000, p90: 31_000, max: 31_000 } },
    ],
    hits: [
      { scenario: 'kill-anywhere', windows: { holding: 10, writing: 10 }, operations: [{ operation: 'rename ledger/3.jsonl', kills: 10 }] },
    ],
    controls: [{ variant: 'without-resume', expected: 'breaks resumes-without-redoing', met: true, caught: 1, trials: 1, firstCatch: 1 }],
    findings: [],
    nullCampaign: { trials: 1, hits: 0, broken: 0 },
    virtualMs: 11 * 35_000,
    runDirectory: 'reports/runs/x',
  });
});

test('a run without any trial is void, and not blind', () => {
  expect(judge([], { nullCampaign: [] })).toMatchObject({
    verdict: 'void',
    exitCode: 2,
    reasons: [expect.stringMatching(/^no trial was run/)],
  });
});

describe('fail, exit 1', () => {
  test('a broken invariant of the real kernel, even when the run is blind and void too', () => {
    const summary = judge([broken(1000, [{ message: 'a is there twice' }])], {
      scenarios: [{ name: 'kill-anywhere', quotas: { renewing: 5 } }],
    });
    expect([summary.verdict, summary.exitCode]).toEqual(['fail', 1]);
    expect(summary.reasons[0]).toBe(
      "k broke no-duplicate-events in 1 trial: a is there twice. See it again: npx crash-campaign replay c --scenario kill-anywhere --subject k --seed 1000 --plan 's1@op#5:kill' --timeline",
    );
    expect(summary.reasons).toHaveLength(3);
  });

  test('a broken variant without an expectation is a finding and no failure', () => {
    const summary = judge([...trials, caught, broken(1000, [{}], { variant: 'slower' })]);
    expect(summary.verdict).toBe('pass');
    expect(summary.findings).toMatchObject([{ variant: 'slower' }]);
  });
});

describe('blind, exit 3', () => {
  const verdict = (over: Partial<RunFacts>, records = [...trials, caught]) => {
    const summary = judge(records, over);
    return [summary.verdict, summary.exitCode, summary.reasons.length];
  };

  test('a control that was not caught', () => {
    expect(verdict({}, [...trials, record(1000, { variant: 'without-resume' })])).toEqual(['blind', 3, 1]);
  });

  test('a forged history that was accepted', () => {
    expect(
      verdict({ forged: [{ invariant: 'no-duplicate-events', result: 'accepted', trial: 't' }, ...(facts.forged ?? []).slice(1)] }),
    ).toEqual(['blind', 3, 1]);
  });

  test('an invariant that was not tried with one', () => {
    expect(verdict({ forged: (facts.forged ?? []).slice(1) })).toEqual(['blind', 3, 1]);
    const unplanted = facts.forged?.map((one) => ({ ...one, result: 'not-plantable' as const })) ?? [];
    expect(verdict({ forged: unplanted })[0]).toBe('pass');
    expect(
      verdict(
        { forged: unplanted, variants: [] },
        trials.filter(({ variant }) => variant === null),
      ),
    ).toEqual(['blind', 3, 1]);
  });

  test('a null campaign that broke something, hit something, or was not run', () => {
    expect(verdict({ nullCampaign: [broken(1000, [{}], { kills: [], hits: {} })] })).toEqual(['blind', 3, 1]);
    expect(verdict({ nullCampaign: [record(1000)] })).toEqual(['blind', 3, 1]);
    expect(verdict({ nullCampaign: [] })).toEqual(['blind', 3, 1]);
  });

  test('outweighs void', () => {
    expect(verdict({}, [record(1000, { variant: 'without-resume' })])[0]).toBe('blind');
  });

  test('not what was switched off or had no place; that is noted', () => {
    const summary = judge([...trials, caught], { forged: null, nullCampaign: null });
    expect([summary.verdict, summary.notes.length]).toEqual(['pass', 2]);
    const unplanted = judge([...trials, caught], {
      forged: (facts.forged ?? []).map((result) => ({ ...result, result: 'not-plantable' })),
    });
    expect([unplanted.verdict, unplanted.notes.length]).toEqual(['pass', 1]);
  });
});

test('trials of a machine that was too busy are counted and noted, and are no reason', () => {
  const loaded = record(1010, { driver: 'live', loaded: { delay_ms: 431 } });
  const summary = judge([...trials, loaded, caught], { driver: 'live' });
  expect(summary).toMatchObject({ verdict: 'pass', loaded: { trials: 1, delayMs: 431 } });
  expect(summary.notes).toEqual([expect.stringMatching(/^1 of 11 trials were measured on a machine that was too busy: up to 431 ms/)]);
  expect(judge([...trials, caught]).loaded).toBe(null);
});

describe('void, exit 2', () => {
  const verdict = (records: TrialRecord[], over: Partial<RunFacts> = {}) => {
    const summary = judge([...records, caught], over);
    return [summary.verdict, summary.exitCode, ...summary.reasons];
  };

  test('no trials, or none of a scenario', () => {
    expect(verdict([])).toEqual(['void', 2, 'no trial was run: choose seeds and scenarios that exist']);
    expect(verdict(trials, { scenarios: [...facts.scenarios, { name: 'contend' }] })).toEqual([
      'void',
      2,
      'contend has no trials: give it seeds',
    ]);
  });

  test('no events', () => {
    expect(verdict(trials.map((trial) => ({ ...trial, events: 0 })))[0]).toBe('void');
  });

  test('more than a tenth of a scenario', () => {
    expect(verdict([...trials.slice(1), voided(1000)])[0]).toBe('pass');
    expect(verdict([...trials.slice(2), voided(1000), voided(1001)])).toEqual([
      'void',
      2,
      '2 of 10 trials of kill-anywhere are void (s1@op#5:kill was never reached): aim its faults at what every trial reaches',
    ]);
  });

  test('no kill where there should be some', () => {
    expect(verdict(trials.map((trial) => ({ ...trial, kills: [] })))).toEqual([
      'void',
      2,
      'no kill was delivered in kill-anywhere, though its plans have some: see whether the driver kills',
    ]);
    const pauses = trials.map((trial) => ({ ...trial, kills: [], landed: [landed('s1@op#5:pause=45s')] }));
    expect(verdict(pauses)[0]).toBe('pass');
  });

  test('a quota that was missed, for each subject', () => {
    const scenarios = [{ name: 'kill-anywhere', quotas: { writing: 10, renewing: 1 } }];
    expect(verdict(trials, { scenarios })).toEqual([
      'void',
      2,
      '0 trials of kill-anywhere have a fault while renewing, and its quota is 1: draw more of its places there, or run more seeds',
    ]);
    expect(verdict([...trials.slice(1), voided(1000, { hits: { writing: 1 } })], { scenarios }).length).toBe(4);
  });

  test('the kill action disabled: controls whose trials are void were not tried', () => {
    const summary = judge([...trials.map(({ seed }) => voided(seed)), voided(1000, { variant: 'without-resume' })]);
    expect([summary.verdict, summary.exitCode]).toEqual(['void', 2]);
  });
});

describe('known defects', () => {
  const known = {
    subjects: [{ name: 'k', knownDefects: [{ invariant: 'no-duplicate-events', scenario: 'kill-anywhere', source: '#121' }] }],
  };

  test('broken as declared: a finding that does not fail', () => {
    const summary = judge([...trials.slice(1), broken(1000, [{}]), caught], known);
    expect([summary.verdict, summary.exitCode]).toEqual(['pass', 0]);
    expect(summary.findings).toMatchObject([{ known: true, source: '#121', trials: 1 }]);
    expect(summary.knownDefects).toMatchObject([{ trials: 1 }]);
  });

  test('broken elsewhere, or another one in the same trial: fails', () => {
    const other = { scenarios: [...facts.scenarios, { name: 'contend' }], ...known };
    expect(judge([...trials, broken(1000, [{}], { scenario: 'contend' }), caught], other).verdict).toBe('fail');
    expect(judge([...trials.slice(1), broken(1000, [{}, { invariant: 'finishes' }]), caught], known).verdict).toBe('fail');
  });

  test('one at a site is known there only, whatever the numbers in it', () => {
    const at = {
      subjects: [
        {
          name: 'k',
          knownDefects: [{ invariant: 'no-duplicate-events', scenario: 'kill-anywhere', source: '#121', site: 'event in ledger/1.jsonl' }],
        },
      ],
    };
    const there = judge([...trials.slice(1), broken(1000, [{ site: 'event in ledger/27.jsonl' }]), caught], at);
    expect([there.verdict, there.findings, there.knownDefects]).toMatchObject([
      'pass',
      [{ known: true, site: 'event in ledger/#.jsonl' }],
      [{ trials: 1 }],
    ]);
    for (const site of ['event in ledger', undefined]) {
      const elsewhere = judge([...trials.slice(1), broken(1000, [{ site }]), caught], at);
      expect([elsewhere.verdict, elsewhere.findings, elsewhere.knownDefects]).toMatchObject(['fail', [{ known: false }], [{ trials: 0 }]]);
      expect(elsewhere.notes.join()).toContain('in kill-anywhere, event in ledger/1.jsonl (#121), was not reproduced');
    }
  });

  test('not reproduced: said', () => {
    const summary = judge([...trials, caught], known);
    expect([summary.verdict, summary.notes]).toEqual([
      'pass',
      [
        'the known defect of k, no-duplicate-events in kill-anywhere (#121), was not reproduced: if it is mended, take it out of knownDefects',
      ],
    ]);
  });

  test('not tried: not said to be mended', () => {
    const elsewhere = { subjects: [{ name: 'k', knownDefects: [{ invariant: 'no-lost-acks', scenario: 'contend', source: '#7' }] }] };
    expect(judge([...trials, caught], elsewhere).notes).toEqual([]);
  });
});

test('recovery times: quantiles, the lock left behind against otherwise, censored ones as lower bounds, void ones not at all', () => {
  const records = [
    record(1, { kills: [kill(31_000, true), kill(100, false)] }),
    record(2, { kills: [kill(null, true)] }),
    record(3, { kills: [kill(300, false)] }),
    record(4, { kills: [kill(200, false)] }),
    record(5, { kills: [] }),
    voided(6, { kills: [kill(1, true)] }),
  ];
  expect(judge(records).recovery).toEqual({
    kills: 5,
    censored: 1,
    recoveryMs: { p50: 300, p90: 192_400, max: 300_000 },
    leftLockBehind: { trials: 2, recoveryMs: { min: 31_000, max: 300_000 } },
    otherwise: { trials: 2, recoveryMs: { min: 200, max: 300 } },
  });
  expect(judge([]).recovery.recoveryMs).toEqual({ p50: null, p90: null, max: null });
});

test('the digest does not depend on the order in which trials ended', () => {
  expect(judge([...trials, caught]).digest).toBe(judge([caught, ...trials.toReversed()]).digest);
  expect(judge([...trials, caught]).digest).not.toBe(judge(trials).digest);
});

test('controls that were not asked for are named under a pass', () => {
  expect(judge([...trials, caught], { unasked: ['without-ttl', 'torn-sidecar'] }).notes).toEqual([
    'controls that were left out: without-ttl, torn-sidecar',
  ]);
});

describe('a run that was cut short', () => {
  test('at its first broken trial: it fails by that alone, and the controls were not run', () => {
    const summary = judge([broken(1000, [{ message: 'a is there twice' }])], {
      cut: 'broken',
      variants: [],
      forged: null,
      nullCampaign: null,
    });
    expect(summary).toMatchObject({ verdict: 'fail', exitCode: 1, coverage: { trials: 1, cut: 'broken', failureBound: null } });
    expect(summary.reasons).toHaveLength(1);
    expect(summary.notes).toEqual(['the controls were not run, as the run stopped at its first broken trial']);
  });

  test('by its time, before every scenario had a trial: void', () => {
    const scenarios = [{ name: 'kill-anywhere' }, { name: 'contend' }];
    const summary = judge([...trials, caught], { cut: 'time-budget', scenarios });
    expect([summary.verdict, summary.exitCode, summary.reasons]).toEqual([
      'void',
      2,
      ['contend has no trials: give it a longer --time-budget, or fewer scenarios and controls'],
    ]);
    expect(summary.coverage).toMatchObject({ seeds: { count: 10, first: 1000, last: 1009 }, scenarios: { covered: 1, of: 2 } });
  });

  test('by its time, among the controls: void and not blind', () => {
    expect(judge([], { cut: 'time-budget', nullCampaign: [] }).verdict).toBe('void');
    expect(judge([...trials, caught], { cut: 'time-budget', nullCampaign: [] }).verdict).toBe('blind');
  });
});

test('without a failure there is a bound, of trials that say something', () => {
  expect(judge([...trials, caught]).coverage.failureBound).toBeCloseTo(0.2589, 4);
  expect(judge([...trials, voided(1010), caught]).coverage.trials).toBe(10);
});

test('a finding that was made smaller is shown as it is now, with the command that runs that', () => {
  const found = judge([broken(1000, [{}])]).findings[0];
  const example = { seed: 1000, scenario: 'kill-anywhere', subject: 'k', variant: null, steps: 1, message: 'smaller' };
  const shrunk = {
    ...example,
    fingerprint: found?.fingerprint ?? '',
    plan: 's1@write(a)#1:kill',
    from: 's1@op#5:kill',
    tried: 4,
    minimal: true,
    story: ['…'],
  };
  expect(judge([broken(1000, [{}])], { shrunk: [shrunk] }).findings).toMatchObject([
    {
      message: 'smaller',
      plan: 's1@write(a)#1:kill',
      shrunk: { from: 's1@op#5:kill', tried: 4, minimal: true },
      replay: expect.stringMatching(/--seed 1000 --plan 's1@write\(a\)#1:kill'$/),
    },
  ]);
  expect(judge([broken(1000, [{}])], { shrunk: [{ ...shrunk, subject: 'other' }] }).findings).toMatchObject([{ shrunk: null }]);
});
