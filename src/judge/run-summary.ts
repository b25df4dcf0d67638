import type { DriverName, Subject, Variant } from '../campaign/campaign.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Scenario } from '../plan/scenario.ts';
import type { ControlResult } from './controls.ts';
import type { Determinism } from './determinism.ts';
import type { Finding, ReplayTarget } from './findings.ts';
import type { ForgedResult } from './forged.ts';
import type { HitRow, Recovery, Tally } from './summary.ts';
import type { Survival } from './survival.ts';
import type { Takeover } from './takeover.ts';

/** What a run was meant to be: what was chosen of the campaign, and what its own controls gave. */
export interface RunFacts extends ReplayTarget {
  campaign: string;
  driver: DriverName;
  /** Quotas are for a whole campaign: leave them out of a run of chosen seeds. */
  scenarios: Pick<Scenario, 'name' | 'quotas' | 'aims'>[];
  /** Scenarios that were chosen, and are not for this driver. */
  leftOut?: Required<Pick<Scenario, 'name' | 'drivers'>>[];
  subjects: Subject[];
  variants: Pick<Variant, 'name' | 'expect'>[];
  /** Variants that were chosen, and are tried in none of the chosen scenarios. */
  untried?: string[];
  /** Controls that could have been tried, and that were not asked for. */
  unasked?: string[];
  invariants: string[];
  /** Null: switched off. */
  forged: ForgedResult[] | null;
  /** The trials of the null campaign: no faults. Null: switched off. */
  nullCampaign: TrialRecord[] | null;
  wallMs: number;
  /** The lease of the lock. Absent in older runs. */
  ttlMs?: number;
  runDirectory: string;
  /** Why it stopped before its end: at the first broken trial, or when its time was used up. Absent: it did not. */
  cut?: 'broken' | 'time-budget';
  /** It is one of several shards, and can't be judged as a whole. */
  shard?: Shard;
  /** What a merged run lacks: so many trials of so many, and the shards that were not there or not finished. */
  missing?: { trials: number; of: number; shards: number[] };
  /** So many of the records that it had when it came to its end are not there any more. */
  lost?: { records: number; of: number };
  /** So many trials were in more than one of the runs that were merged. */
  overlap?: number;
  /** The findings that were made smaller. */
  shrunk?: ShrunkFinding[];
}

/** One of `of` shards, from 1. */
export interface Shard {
  index: number;
  of: number;
}

/** A finding's smallest example, made smaller. */
export interface ShrunkFinding
  extends Pick<Finding, 'fingerprint' | 'subject' | 'variant' | 'seed' | 'scenario' | 'plan' | 'steps' | 'message'> {
  /** Of which plan. */
  from: string;
  /** How many smaller plans were run. */
  tried: number;
  /** Whether nothing simpler that could be tried still breaks. */
  minimal: boolean;
  /** What happens in it, sentence by sentence. */
  story: string[];
}

export interface ScenarioSummary extends Recovery {
  name: string;
  subject: string;
  trials: Tally;
}

/** How much a run has seen of the kernels as they are. */
export interface Coverage {
  /** Trials that say something: void ones do not. */
  trials: number;
  seeds: { count: number; first: number | null; last: number | null };
  /** How many of the chosen scenarios had such a trial. */
  scenarios: { covered: number; of: number };
  cut: 'broken' | 'time-budget' | null;
  /** When none was broken: a trial fails with at most this chance, at 95 % confidence. */
  failureBound: number | null;
}

export interface KnownDefectResult {
  subject: string;
  invariant: string;
  scenario: string | null;
  site: string | null;
  source: string;
  /** In how many trials it was broken; 0: not reproduced. */
  trials: number;
}

/** DESIGN 4.6, and more. Tallies, scenarios and hits are of the kernels as they are; the digest is of all trials. */
export interface RunSummary {
  schema: 'crash-campaign/run@1';
  campaign: string;
  driver: DriverName;
  verdict: 'pass' | 'fail' | 'blind' | 'void';
  exitCode: number;
  /** Why it is not a pass, gravest first, each with what to do. */
  reasons: string[];
  /** What does not touch the verdict and should be known all the same. */
  notes: string[];
  trials: Tally;
  scenarios: ScenarioSummary[];
  /** How each subject came out of each scenario; absent in older summaries. */
  survival?: Survival[];
  /** How soon another had the lock of a killed holder; absent in older summaries. */
  takeovers?: Takeover[];
  /** How many trials were measured on a machine that was too busy, and how much too long a recovery time may be; null: none. Absent in older summaries. */
  loaded?: { trials: number; delayMs: number } | null;
  /** Over the whole campaign. */
  recovery: Recovery;
  hits: HitRow[];
  controls: ControlResult[];
  forged: ForgedResult[] | null;
  nullCampaign: { trials: number; hits: number; broken: number } | null;
  findings: Finding[];
  knownDefects: KnownDefectResult[];
  coverage: Coverage;
  /** Null: trials were run once. */
  determinism: Determinism | null;
  digest: string;
  wallMs: number;
  virtualMs: number;
  runDirectory: string;
}
