import type { Window } from '../plan/plan.ts';
export interface RunSummary {
  schema: 'crash-campaign/run@1';
  campaign: string;
  driver: 'sim' | 'live';
  verdict: 'pass' | 'fail' | 'blind' | 'void';
  exitCode: number;
  reasons: string[];
  trials: Tally;
  scenarios: ScenarioSummary[];
  hits: { scenario: string; windows: Partial<Record<Window, number>>; operations: { operation: string; kills: number }[] }[];
  controls: { variant: string; expected: string; caught: number; trials: number; firstCatch: number | null }[];
  findings: Finding[];
  digest: string;
  wallMs: number;
  virtualMs: number;
  runDirectory: string;
}
export interface Tally {
  total: number;
  held: number;
  broken: number;
  void: number;
}
export interface ScenarioSummary {
  name: string;
  subject: string;
  trials: Tally;
  kills: number;
  recoveryMs: { p50: number | null; p90: number | null; max: number | null };
  leftLockBehind: { trials: number; recoveryMs: { min: number | null; max: number | null } };
  otherwise: { trials: number; recoveryMs: { min: number | null; max: number | null } };
}
export interface Finding {
  fingerprint: string;
  invariant: string;
  known: boolean;
  trials: number;
  seed: number;
  scenario: string;
  subject: string;
  plan: string;
  steps: number;
  replay: string;
}
