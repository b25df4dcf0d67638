import type { Window } from '../plan/plan.ts';
import type { Difference } from './difference.ts';
import type { LastOperation } from './history.ts';

/** One trial, as it is written to `trials.ndjson`: once, complete, when the trial has been judged. */
export interface TrialRecord {
  schema: 'crash-campaign/trial@1';
  /** `campaign/scenario/subject/variant|-/seed`, unique in a run. */
  id: string;
  campaign: string;
  subject: string;
  variant: string | null;
  scenario: string;
  seed: number;
  driver: 'sim' | 'live';
  /** `operations`: state operations were numbered, by sim or by a probe under live. Absent in older records. */
  numbering?: 'operations' | 'clock';
  /** As drawn. */
  plan: string;
  /** What became of each fault, in the order of the plan. */
  landed: LandedFault[];
  verdict: 'held' | 'broken' | 'void';
  violations: Violation[];
  /** Why it is void; empty otherwise. */
  void_reasons: string[];
  kills: KillRecord[];
  ends: EndRecord[];
  events: number;
  operations: number;
  /** Operations on the state directory by kind of call, e.g. `{"fsync": 12}`. Absent in older records. */
  operations_by_kind?: Record<string, number>;
  /** How often a session acquired the lock. Absent in older records. */
  acquisitions?: number;
  /** When the trial would have been given up. Absent in older records. */
  deadline_ms?: number;
  /** How often each window was hit by a delivered fault. */
  hits: Partial<Record<Window, number>>;
  /** What the sim driver could not control; such a trial's digest is not promised to repeat. */
  nondeterministic: string[];
  /** Trial time from the first spawn to the end: virtual under sim, real under live. */
  duration_ms: number;
  /** Real time that the trial took. */
  wall_ms: number;
  /** SHA-256 over the canonical history. */
  digest: string;
  /** Whether it had the same history when it was run a second time, here or (where they part is then unknown) in another run that was merged with this one; `uncontrolled`: something took part that sim does not control. Absent: it was run once. */
  repetition?: { is: 'same' } | { is: 'uncontrolled' } | { is: 'different'; digest: string; difference: Difference | null };
  /** Live: the machine was too busy for the recovery times, which may be so much too long. Absent: it was not, or nobody measured. */
  loaded?: { delay_ms: number };
  versions: { node: string; 'crash-campaign': string; git: string | null };
  /** The packages that the subject names. Absent: it names none. */
  packages?: InstalledPackage[];
  /** Relative to the run directory; null when nothing was kept. */
  artefacts: string | null;
}

/** A package of npm as it was installed. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** As npm's lock file has it. */
  integrity: string;
  /** 12 hex digits of the SHA-256 over path, version and integrity of the package and of all that it depends on. */
  tree: string;
}

export interface LandedFault {
  fault: string;
  /** How far it came. `missed`: delivered, but in no window that the scenario aims at. */
  state: 'armed' | 'reached' | 'delivered' | 'missed';
  session: string | null;
  t_ms: number | null;
  windows: Window[];
  /** Kind and path of the operation at which it landed, e.g. `rename ledger/1.jsonl`, where known. */
  operation: string | null;
  why: string | null;
}

export interface Violation {
  invariant: string;
  /** One line for a person, naming the events, sessions, tokens and times that prove it. */
  message: string;
  sessions: string[];
  /** The entries of the history that prove it, by index. */
  entries: number[];
  /** What it is about and where that is, e.g. `event in ledger/2.jsonl:1` or `file out.json`: findings are grouped by it, numbers left out. Absent: the message. */
  site?: string;
}

export interface KillRecord {
  session: string;
  t_ms: number;
  windows: Window[];
  operation: string | null;
  left_lock_behind: boolean;
  /** From the kill until a successor held the lock; null: never seen. */
  takeover_ms: number | null;
  /** From takeover until the first new durable event. */
  progress_ms: number | null;
  /** From the kill until the first new durable event of a successor, or until a session finished the work. Null: censored. */
  recovery_ms: number | null;
  /** The part of it that was spent waiting for the dead holder's lease. */
  ttl_floor_ms: number;
  /** Given when `recovery_ms` is null: recovery takes longer than this. */
  censored_ms: number | null;
}

export interface EndRecord {
  session: string;
  how: 'done' | 'killed' | 'robbed' | 'allowed' | 'own-error' | 'foreign-kill' | 'stuck';
  code: number | null;
  signal: string | null;
  reason: string | null;
  /** Where it was, under live with the probe; null: it had begun no operation. */
  last_operation?: LastOperation | null;
}
