import type { TrialRecord } from '../../src/history/record.ts';
import { judgeRun } from '../../src/judge/campaign-verdict.ts';
import type { RunFacts, RunSummary } from '../../src/judge/run-summary.ts';

/** A record of a trial with one kill. */
export function trial(about: Partial<TrialRecord> & { seed: number; left?: boolean; recovery_ms?: number }): TrialRecord {
  const { left = false, recovery_ms = 400, ...facts } = about;
  return {
    schema: 'crash-campaign/trial@1',
    id: `toy/kill-anywhere/toy/-/${about.seed}`,
    campaign: 'toy',
    subject: 'toy',
    variant: null,
    scenario: 'kill-anywhere',
    driver: 'sim',
    plan: 's1@op#3:kill',
    landed: [
      {
        fault: 's1@op#3:kill',
        state: 'delivered',
        session: 's1',
        t_ms: 100,
        windows: left ? ['holding'] : ['idle'],
        operation: 'write ledger.jsonl',
        why: null,
      },
    ],
    verdict: 'held',
    violations: [],
    void_reasons: [],
    kills: [
      {
        session: 's1',
        t_ms: 100,
        windows: left ? ['holding'] : ['idle'],
        operation: 'write ledger.jsonl',
        left_lock_behind: left,
        takeover_ms: recovery_ms - 1,
        progress_ms: 1,
        recovery_ms,
        ttl_floor_ms: left ? recovery_ms : 0,
        censored_ms: null,
      },
    ],
    ends: [],
    events: 9,
    operations: 80,
    hits: left ? { holding: 1 } : { idle: 1 },
    nondeterministic: [],
    duration_ms: recovery_ms + 1000,
    wall_ms: 210,
    digest: String(about.seed),
    versions: { node: 'v24.0.0', 'crash-campaign': '0.1.0', git: null },
    artefacts: null,
    ...facts,
  };
}

export const records: TrialRecord[] = [
  trial({ seed: 1000, left: true, recovery_ms: 31_100 }),
  trial({ seed: 1001, left: true, recovery_ms: 30_100 }),
  trial({ seed: 1002 }),
  trial({ seed: 1003, verdict: 'void', void_reasons: ['fault 1 was never reached'], kills: [] }),
  trial({
    seed: 1004,
    verdict: 'broken',
    violations: [
      {
        invariant: 'no-duplicate-events',
        message: 'event w2.1 is accepted twice: ledger/1.jsonl:3 by s1, ledger/2.jsonl:1 by s2',
        sessions: ['s1', 's2'],
        entries: [12, 40],
      },
    ],
  }),
  trial({
    seed: 1000,
    id: 'toy/kill-anywhere/toy/without-ttl/1000',
    variant: 'without-ttl',
    verdict: 'broken',
    violations: [{ invariant: 'recovers-within', message: 's2 needed 90.0 s', sessions: ['s2'], entries: [] }],
  }),
];

export const facts: RunFacts = {
  target: 'toy',
  defaultDriver: 'sim',
  campaign: 'toy',
  driver: 'sim',
  scenarios: [{ name: 'kill-anywhere' }, { name: 'takeover-after-expiry', quotas: { holding: 5 } }],
  subjects: [{ name: 'toy' }],
  variants: [
    { name: 'without-ttl', expect: { breaks: ['recovers-within'] } },
    { name: 'without-fencing', expect: { breaks: ['no-write-after-theft', 'no-duplicate-events'] } },
  ],
  invariants: ['no-duplicate-events', 'recovers-within'],
  forged: [
    { invariant: 'no-duplicate-events', result: 'rejected', trial: 'toy/kill-anywhere/toy/-/1002' },
    { invariant: 'recovers-within', result: 'not-plantable', trial: null },
  ],
  nullCampaign: [trial({ seed: 1000, id: 'toy/no-faults/toy/-/1000', scenario: 'no-faults', kills: [], hits: {} })],
  wallMs: 2310,
  runDirectory: 'reports/runs/2026-01-01T00-00-00-toy',
};

export const run: RunSummary = judgeRun(records, facts);
