import type { TrialRecord } from '../../src/history/record.ts';
import type { RunSummary } from '../../src/report/run-summary.ts';

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
    landed: [],
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
    hits: {},
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
  trial({ seed: 1000, id: 'toy/kill-anywhere/toy/without-ttl/1000', variant: 'without-ttl', verdict: 'broken' }),
];

export const run: RunSummary = {
  schema: 'crash-campaign/run@1',
  campaign: 'toy',
  driver: 'sim',
  verdict: 'fail',
  exitCode: 1,
  reasons: ['no-duplicate-events broke in 1 trial'],
  trials: { total: 5, held: 3, broken: 1, void: 1 },
  scenarios: [
    {
      name: 'kill-anywhere',
      subject: 'toy',
      trials: { total: 5, held: 3, broken: 1, void: 1 },
      kills: 4,
      recoveryMs: { p50: 15_250, p90: 31_100, max: 31_100 },
      leftLockBehind: { trials: 2, recoveryMs: { min: 30_100, max: 31_100 } },
      otherwise: { trials: 2, recoveryMs: { min: 400, max: 400 } },
    },
    {
      name: 'takeover-after-expiry',
      subject: 'toy',
      trials: { total: 0, held: 0, broken: 0, void: 0 },
      kills: 0,
      recoveryMs: { p50: null, p90: null, max: null },
      leftLockBehind: { trials: 0, recoveryMs: { min: null, max: null } },
      otherwise: { trials: 0, recoveryMs: { min: null, max: null } },
    },
  ],
  hits: [
    {
      scenario: 'kill-anywhere',
      windows: { idle: 2, holding: 2, writing: 1 },
      operations: [
        { operation: 'write ledger.jsonl', kills: 3 },
        { operation: 'mkdir lock', kills: 1 },
      ],
    },
  ],
  controls: [
    { variant: 'without-ttl', expected: 'break recovers-within', caught: 1, trials: 1, firstCatch: 1 },
    { variant: 'without-fencing', expected: 'break no-write-after-theft and no-duplicate-events', caught: 0, trials: 10, firstCatch: null },
  ],
  findings: [
    {
      fingerprint: '3f2a',
      invariant: 'no-duplicate-events',
      known: false,
      trials: 1,
      seed: 1004,
      scenario: 'kill-anywhere',
      subject: 'toy',
      plan: 's1@op#3:kill',
      steps: 1,
      replay: "npx crash-campaign replay toy --scenario kill-anywhere --plan 's1@op#3:kill'",
    },
  ],
  digest: 'd1',
  wallMs: 2_310,
  virtualMs: 96_400,
  runDirectory: 'reports/runs/toy-1',
};
