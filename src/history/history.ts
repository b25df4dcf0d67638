import type { Window } from '../plan/plan.ts';

/**
 * The totally ordered record of a trial. Times are `t_ms`: milliseconds since the trial began, virtual under sim,
 * with three decimals. Sessions are named `s1`, `s2`, … in order of start.
 */
export interface History {
  trial: TrialFacts;
  entries: Entry[];
}

/** What an invariant may know of the trial besides what happened in it. */
export interface TrialFacts {
  schema: 'crash-campaign/history@1';
  id: string;
  campaign: string;
  subject: string;
  variant: string | null;
  scenario: string;
  seed: number;
  driver: 'sim' | 'live';
  plan: string;
  /** The time to live of the lock under test. */
  ttl_ms: number;
  /** The trial is ended when it has taken so long. */
  deadline_ms: number;
  /** What `recovers-within` allows from a kill to the next durable event. */
  recovers_within_ms: number;
  /** The reason that a robbed session must give, e.g. `lock-stolen-mid-run`. */
  robbed_reason: string;
  /** Other reasons for which a session may end with a code other than 0, e.g. `lock-busy`. */
  allowed_reasons: string[];
  /** Milliseconds since 1970 at t = 0, as the kernels see it. */
  epoch_ms: number;
  /** How many events the fault-free run of this subject wrote; absent when that is not known. */
  golden_events?: number;
}

/** One operation on the state directory. Paths are relative to it, `.` for itself. */
export interface Operation {
  /** Counts the session's operations from 1. */
  n: number;
  /** The call: `open`, `write`, `rename`, `mkdir`, `fsync`, `kill` (liveness check), `stdout`, … */
  kind: string;
  path: string;
  /** The second path of rename, link, symlink, copyFile. */
  to?: string;
  /** Bytes to be written or read. */
  bytes?: number;
  /** Hash of the written bytes, with the state directory's own path left out. */
  sum?: string;
  /** The error's code, e.g. `EEXIST`, once it is over. */
  error?: string;
  /** Whether this kind of call changes the state directory. */
  changes: boolean;
  /** Whether the path belongs to the lock. */
  lock: boolean;
}

/** The last operation that a session had begun when it ended. */
export interface LastOperation {
  /** Counts the session's operations from 1. */
  n: number;
  kind: string;
  path: string;
  /** Counts those of this kind and path, as a place in a plan does. */
  nth: number;
  /** Whether the session told that it was over. If not, it may or may not have been carried out. */
  done: boolean;
}

export type LockChange =
  /** A session holds it that did not before. */
  | 'acquired'
  /** The same holder, with a later expiry. */
  | 'renewed'
  | 'released'
  /** Taken by the harness (`steal`). */
  | 'stolen'
  /** Made to have run out by the harness (`expire`). */
  | 'expired'
  /** Damaged by the harness (`corrupt`), or unreadable of itself. */
  | 'damaged';

/** A durable fact, as the campaign's reader gives it. */
export interface DurableEvent {
  /** What the fact is: two accepted events with one id are a duplicate. */
  id: string;
  /** Where it is written, e.g. `ledger/3.jsonl:2`: unique, and stable while it stays there. */
  ref: string;
  /** The session that wrote it, if the event says so. */
  session?: string;
  /** The fencing token under which it was written, if the event says so. */
  token?: number;
}

/** A finished unit of work that a resume must not do again. */
export interface FinishedWork {
  /** e.g. `window.2`. */
  unit: string;
  ref: string;
  session?: string;
  token?: number;
}

/** What the campaign's reader found in the state directory. Order of events: the order in which they are accepted. */
export interface StateReading {
  events: DurableEvent[];
  work: FinishedWork[];
  /** Files under their final name that can't be read as what they should be. */
  unreadable: { path: string; why: string }[];
  /** Left-overs that a finished run must not leave, e.g. temporary files. */
  debris: string[];
}

export type FaultPhase = 'reached' | 'delivered' | 'failed';

export type Entry = { t_ms: number } & (
  | {
      type: 'spawn';
      session: string;
      pid: number;
      host: string;
      subject: string /** The ended session in whose place it was started. */;
      replaces: string | null;
    }
  | ({ type: 'operation'; session: string } & Operation)
  /** A line that the kernel said: `@crash point|enter|exit|ack|reason text`. */
  | { type: 'said'; session: string; say: 'point' | 'enter' | 'exit' | 'ack' | 'reason'; text: string }
  /** `session` is null when the lock does not tell who holds it, or the harness holds it. `expires_ms` is trial time. */
  | { type: 'lock'; change: LockChange; session: string | null; token: number | null; expires_ms: number | null }
  /** A durable event was seen for the first time. */
  | { type: 'event'; id: string; ref: string; session: string | null; token: number | null }
  /** A durable event that had been seen is gone. */
  | { type: 'event-lost'; id: string; ref: string }
  | { type: 'work'; unit: string; ref: string; session: string | null; token: number | null }
  | { type: 'unreadable'; path: string; why: string }
  /** `fault` is the printed form of the plan's fault at index `step`. */
  | {
      type: 'fault';
      step: number;
      fault: string;
      phase: FaultPhase;
      session: string | null;
      windows: Window[];
      operation: string | null;
      why?: string;
    }
  /** A kill was delivered: whether the session held the lock at that instant, and when its lease runs out. */
  | { type: 'killed'; session: string; windows: Window[]; held_lock: boolean; lease_left_ms: number | null }
  | { type: 'paused'; session: string }
  | { type: 'continued'; session: string }
  /** `asked`: the harness killed it. `reason`: from `@crash reason`, or an allowed or robbed reason found on stderr. */
  | {
      type: 'end';
      session: string;
      code: number | null;
      signal: string | null;
      asked: boolean;
      reason: string | null;
      /** What the program said last on stderr, when it died of something that gave no reason, its state directory written `{state}`. It may name the machine, so it is no part of the digest. */
      last_words?: string;
      /** Under live with the probe; null: it had begun none. Under sim each operation is an entry. */
      last_operation?: LastOperation | null;
    }
  /** No operation for so long in real time, though it was its turn: it was killed. */
  | { type: 'stuck'; session: string; real_ms: number }
  /** Something that the sim driver does not control. */
  | { type: 'uncontrolled'; session: string; what: string }
  /** The trial ran out of time, or of restarts. */
  | { type: 'given-up'; why: string }
  /** The last look, after the last session ended. */
  | ({ type: 'final' } & StateReading)
);

export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;
