import type { Operation } from '../../history/history.ts';

/**
 * The messages on the channel between conductor and probe: one JSON object a line, over the descriptor that
 * CRASH_CAMPAIGN_CHANNEL names. The probe asks and blocks; it goes on only when the conductor has answered.
 * The result of an operation travels with the next message, so that an operation costs one round trip.
 * Answers are ASCII: other characters are escaped.
 */

/** Before anything of the program has run. */
export interface Hello {
  type: 'hello';
  /** The real pid, so that a child that inherited the channel's environment is told apart. */
  pid: number;
}

/** How the operation before this message went. `read` and `written` are byte counts. */
export interface Done {
  error?: string;
  bytes?: number;
}

export type Request = (
  | { type: 'operation'; kind: string; path: string; to?: string; bytes?: number; sum?: string; changes: boolean }
  /** A write to stdout or stderr. The conductor puts it where it belongs: the process itself writes it nowhere. */
  | { type: 'output'; stream: 'stdout' | 'stderr'; text: string }
  /** Nothing to do until this virtual time (milliseconds since 1970 by the monotonic virtual clock). */
  | { type: 'idle'; until_ms: number }
  /** A liveness check of a virtual pid, `process.kill(pid, signal)`. */
  | { type: 'signal'; pid: number; signal: number | string }
  | { type: 'uncontrolled'; what: string }
  /** The bytes asked for have been written; the session waits to be killed. */
  | { type: 'torn' }
  /** The program is about to exit. */
  | { type: 'exit'; code: number }
) & { done?: Done };

/** What is asked for as an operation; which of the session's it is, and whether it touches the lock, is for others to say. */
export function operationOf(request: Extract<Request, { type: 'operation' | 'signal' }>): Omit<Operation, 'n' | 'lock'> {
  if (request.type === 'signal') return { kind: 'kill', path: String(request.pid), changes: false };
  const { type: _, done: __, ...about } = request;
  return about;
}

/** To `hello`. */
export interface Welcome {
  /** Virtual monotonic time, milliseconds since 1970. */
  now_ms: number;
  /** What the wall clock shows beyond that. */
  skew_ms: number;
  pid: number;
  ppid: number;
  hostname: string;
  /** Null: it can't be read. */
  boot_id: string | null;
  pid_namespace: string;
  /** Seeds the session's Math.random and crypto randomness. */
  random_seed: string;
  /** The state directory, absolute and real. */
  state: string;
}

/** To any request. */
export interface Answer {
  now_ms: number;
  skew_ms: number;
  /** Fail the operation with this code instead of carrying it out; to `signal`: the error of the check. */
  fail?: string;
  /** Write only so many bytes of the operation, then send `torn`. */
  tear?: number;
  /** A signal for the session's own handlers has come. The session carries out signals to itself without being told so. */
  signal?: string;
  /** To `signal` for a living process: its virtual monotonic time of start. */
  started_ms?: number;
}
