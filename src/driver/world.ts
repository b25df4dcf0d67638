import type { LastOperation, Operation } from '../history/history.ts';

/**
 * What the trial loop needs of a driver: a world in which sessions run. Both drivers offer the same one; the loop in trial.ts
 * knows nothing else of them. In sim at most one session moves at a time, and only inside `next()`.
 */
export interface World {
  readonly driver: 'sim' | 'live';
  /** Milliseconds since the trial began. */
  now(): number;
  /** The present as the kernels see it, in milliseconds since 1970. */
  epoch(): number;
  start(launch: Launch): Promise<{ pid: number }>;
  /**
   * Lets the world go on until something happens, or trial time `until_ms` has come (`time`). Time passes too while every session is
   * paused, or none is alive. Until the next call nothing moves in sim.
   */
  next(until_ms: number): Promise<Happening>;
  /** SIGKILL to the session and all that it started; delivered when the wait status says SIGKILL. `ended` is still to come from `next()`. */
  kill(session: string): Promise<Delivery>;
  /** Delivered when every thread has stopped. */
  pause(session: string): Promise<Delivery>;
  continue(session: string): Promise<Delivery>;
  /** Runs `act` while no session can move, and so without a race: under live the sessions are stopped around it. */
  still<T>(act: () => Promise<T>): Promise<T>;
  /**
   * Of the write before which this session is blocked so many bytes are written; the session then stands in the middle of it, to be killed.
   * Absent where sessions are not held at their operations.
   */
  tear?(session: string, bytes: number): Promise<Delivery>;
  /** Live: what the machine has delayed so far, in order of time. Absent where time is virtual. */
  readonly delays?: Delay[];
  /** What only sim can do; absent under live. */
  sim?: SimPowers;
  /** Ends whatever still runs and gives everything back. Resolves when no process is left. */
  close(): Promise<void>;
}

/** So long a session stood ready and got no processor, up to `t_ms` and since the last one; or, with `session` null, so late came a look of the harness. */
export interface Delay {
  t_ms: number;
  session: string | null;
  delay_ms: number;
}

export interface SimPowers {
  /** The operation before which this session is blocked fails with an errno instead of being carried out. */
  fail(session: string, errno: string): void;
  /** Lets another session go first until it waits. */
  yieldTo(session: string): Delivery;
  /** Moves the wall clock of a host. */
  jump(host: string, ms: number): void;
  /** The next session gets this pid. */
  reusePid(pid: number): void;
  /** Kills the sessions of a host; `unsynced: 'lost'` also takes back what was not synced. */
  reboot(host: string, unsynced: 'kept' | 'lost'): Promise<string[]>;
}

/** One process to be started. */
export interface Launch {
  session: string;
  /** As in a plan: `h1`, or `h1/c2!`. */
  host: string;
  command: string[];
  env: Record<string, string>;
  /** Where stdout and stderr of the session are kept. */
  log: string;
  /** Strings to look for on stderr as the reason of the session's end. */
  reasons: string[];
}

export type Delivery = { delivered: true } | { delivered: false; why: string };

export type Happening =
  /** Sim: the session is blocked before an operation, and goes on in the next `next()`. */
  | { type: 'before'; session: string; operation: Operation }
  /** Sim: the operation is over. The session has not gone on beyond it in any way that can be seen. */
  | { type: 'after'; session: string; operation: Operation }
  /** A whole line on the session's stdout. */
  | { type: 'line'; session: string; text: string }
  /** `reason` is the one of `Launch.reasons` that was found on stderr, `last_words` what stands there last. `last_operation`: under live with the probe. */
  | {
      type: 'ended';
      session: string;
      code: number | null;
      signal: string | null;
      reason: string | null;
      last_words: string | null;
      last_operation?: LastOperation | null;
    }
  /** Live: the state directory may have changed. */
  | { type: 'tick' }
  /** `until_ms` has come. */
  | { type: 'time' }
  /** Sim: it was this session's turn, and it did nothing that can be seen for so long; it has been killed. */
  | { type: 'stuck'; session: string; real_ms: number }
  | { type: 'uncontrolled'; session: string; what: string };
