/**
 * The fault plan of one trial, as data: who takes part, and what happens to whom, where.
 * A plan is drawn from a seed (draw.ts), printed and parsed (print.ts, parse.ts), replayed and shrunk.
 */

/** The named parts of a session's life in which a fault can land. */
export const WINDOWS = ['idle', 'acquiring', 'holding', 'writing', 'renewing', 'releasing', 'recovering'] as const;
export type Window = (typeof WINDOWS)[number];

/** `s1`, `s2`, … in order of start; `holder` is whoever holds the lock at that instant. */
export type SessionRef = `s${number}` | 'holder';

/** Where a fault is placed. Without a session, the first session that gets there is meant. `n` counts from 1. */
export type Place =
  /** The n-th state operation of a session (`kind` and `path` absent), or the n-th of a kind on paths that match a glob. */
  | { at: 'operation'; session: SessionRef; n: number; kind?: string; path?: string; edge: 'before' | 'after' }
  /** The n-th time that a session says `@crash point <name>`. */
  | { at: 'point'; session?: SessionRef; name: string; n: number }
  /** The n-th durable event seen in the trial, or written by that session. */
  | { at: 'event'; session?: SessionRef; n: number }
  | { at: 'lock'; session?: SessionRef; change: 'acquired' | 'renewed' | 'released'; n: number }
  /** A share of the golden run's length of that window, counted from the session's entering it. */
  | { at: 'window'; session: SessionRef; window: Window; fraction: number }
  /** Milliseconds since the trial began (`start`), since the session's spawn (`start` with a session), or since the plan's fault before this one (`last-fault`). */
  | { at: 'time'; session?: SessionRef; ms: number; since: 'start' | 'last-fault' }
  /** A session has ended. */
  | { at: 'end'; session: SessionRef };

/** What is done there, to the place's session unless it is done to the lock or to a host. */
export type Action =
  | { do: 'kill' }
  | { do: 'pause'; ms: number }
  | { do: 'pause'; until: Place }
  /** The harness takes the lock over as a rival of the kernel's own kind would, without waiting for expiry. */
  | { do: 'steal' }
  /** The lease is made to have run out. */
  | { do: 'expire' }
  | { do: 'corrupt'; how: 'truncate' | 'garbage' | 'empty' | 'remove' }
  | { do: 'fail'; errno: string }
  /** The write stops after this many bytes, and the session is killed there. */
  | { do: 'tear'; bytes: number }
  /** The wall clock of the session's host is moved; timers are not. */
  | { do: 'jump'; ms: number }
  /** One more session is started. */
  | { do: 'rival' }
  /** Every session of the host dies and what was not synced is lost. */
  | { do: 'power-cut' }
  /** Every session of the host dies; a new boot id; written data stays. */
  | { do: 'reboot' }
  /** The next session that starts gets the pid of the last one that died. */
  | { do: 'reuse-pid' }
  /** The service that the lock is kept in is killed, and started again after so long. */
  | { do: 'outage'; ms: number }
  /** For so long nothing that the session and the service send arrives in that direction; then all of it does. */
  | { do: 'partition'; ms: number; direction: 'both' | 'to-service' | 'from-service' }
  /** The session's connections to the service are reset, and for so long none is made. */
  | { do: 'cut'; ms: number }
  /** For so long everything that they send arrives `by_ms` late. */
  | { do: 'delay'; ms: number; by_ms: number }
  /** A deviation from the default schedule: here, let another session go first until it waits. */
  | { do: 'yield'; to: SessionRef };

export interface Fault {
  where: Place;
  action: Action;
}

/**
 * One initial session. `subject` absent: the trial's subject. `host` absent: `h1`. `h1/c1` is a container on it: it shares host name, boot id and clock, and has a PID namespace
 * of its own. In `h1!` and `h1/c1!` the boot id can't be read.
 */
export interface CastMember {
  subject?: string;
  host?: string;
}

export interface Plan {
  /** At least one. */
  cast: CastMember[];
  /** In the order in which they are armed; only `last-fault` places depend on that order. */
  faults: Fault[];
}
