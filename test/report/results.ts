import { compareSides } from '../../src/compare/compare.ts';
import { judgeGate } from '../../src/gate/gate.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import type { RunFacts } from '../../src/judge/run-summary.ts';
import type { Result } from '../../src/report/result.ts';
import { type Behaviour, sideOf } from '../compare/sides.ts';
import { record } from '../fixtures/records.ts';

type Of<K extends Result['of']> = Extract<Result, { of: K }>;

/** A run of these records: 30 held trials when none are given. */
export function runOf(records: TrialRecord[] = Array.from({ length: 30 }, (_, i) => record(i)), over: Partial<RunFacts> = {}): Of<'run'> {
  const facts: RunFacts = {
    target: 'c',
    defaultDriver: 'sim',
    campaign: 'c',
    driver: 'sim',
    scenarios: [...new Set(records.map(({ scenario }) => scenario))].map((name) => ({ name })),
    subjects: [{ name: 'k' }],
    variants: [],
    invariants: ['no-duplicate-events'],
    forged: [{ invariant: 'no-duplicate-events', result: 'rejected', trial: 't' }],
    nullCampaign: null,
    wallMs: 1000,
    runDirectory: 'reports/runs/r',
    ...over,
  };
  return { of: 'run', summary: judgeRun(records, facts), records };
}

export function comparisonOf(before: Behaviour, after: Behaviour, n = 40): Of<'compare'> {
  const sides = { baseline: sideOf('k', before, n), contender: sideOf('k', after, n) };
  const comparison = compareSides(sides, { relative: 0.05 });
  return { of: 'compare', comparison: { ...comparison, exitCode: { ok: 0, regressed: 1, inconclusive: 2 }[comparison.decision] }, sides };
}

export function gateOf({ summary, records }: Of<'run'>, { comparison }: Of<'compare'>): Of<'gate'> {
  const against = { is: 'baseline', file: 'reports/baselines/c.json', git: 'abc' } as const;
  return { of: 'gate', gate: judgeGate({ run: summary, comparisons: [comparison], against, refusal: null, notes: [] }), records };
}
