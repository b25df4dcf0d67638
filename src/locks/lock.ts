/** What a lock adapter sees of the lock at one instant. */
export type LockState =
  | { is: 'free'; token?: number }
  | {
      is: 'held';
      holder: LockHolder;
      token?: number;
      /** Milliseconds since 1970 by the lock's own reckoning; null: never expires. */
      expires_at_ms: number | null;
    }
  | { is: 'unreadable'; why: string };

/** As much of the holder's identity as the lock records. An empty record means that the lock names nobody. */
export interface LockHolder {
  /** The session's name, where the kernel passes CRASH_CAMPAIGN_SESSION on to its lock. */
  session?: string;
  pid?: number;
  /** Anything that tells two holders apart. */
  name?: string;
}

/** A service in which a lock is kept. */
export interface ServiceAccess {
  url: string;
  /** A name that no other trial has: everything of this trial in the service is below it. */
  namespace: string;
}

/** Where and when an adapter works. All paths that it touches lie in `state`. */
export interface LockSite {
  /** The state directory, absolute. */
  state: string;
  /** The present as the kernels see it, in milliseconds since 1970: virtual under sim. */
  now_ms: number;
  ttl_ms: number;
  /** Given when the subject names a service. */
  service?: ServiceAccess | undefined;
}

export type Corruption = 'truncate' | 'garbage' | 'empty' | 'remove';

/** How the harness looks at and tampers with one kind of lock. It must never wait. */
export interface LockAdapter {
  /** The kind of lock, e.g. `claim-lease`. */
  kind: string;
  /** Whether a path, relative to the state directory, belongs to the lock. */
  covers(path: string): boolean;
  /** Whether an operation on a covered path by the holder is part of a release rather than of a renewal. */
  releases?(operation: { kind: string; path: string; to?: string }): boolean;
  inspect(site: LockSite): LockState | Promise<LockState>;
  /** Takes the lock over as a rival of the kernel's own kind would, for a full TTL, without waiting for expiry. The thief never works. */
  steal(site: LockSite): void | Promise<void>;
  /** Makes the lease have run out, the holder unchanged. */
  expire(site: LockSite): void | Promise<void>;
  corrupt(site: LockSite, how: Corruption): void | Promise<void>;
}
