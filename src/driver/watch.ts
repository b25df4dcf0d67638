import type { DurableEvent, Entry, LockChange, StateReading } from '../history/history.ts';
import type { LockAdapter, LockHolder, LockSite, LockState } from '../locks/lock.ts';

/** Without `t_ms`, which the recorder gives. */
export type Observation = Entry extends infer E ? (E extends Entry ? Omit<E, 't_ms'> : never) : never;

export interface Watch {
  /** Looks at the lock. `by` is the session whose operation may have changed it, where that is known. */
  lookAtLock(by: string | null): Promise<void>;
  /** Reads the durable state. */
  lookAtState(by: string | null): Promise<void>;
  /**
   * Looks at both, when either may have changed since the last look and the order is not known. Then what a former holder wrote was
   * written before the lock passed on, and what its heir wrote after: a theft before the write would have been seen by an earlier look.
   */
  look(by: string | null): Promise<void>;
  /** After the harness has tampered with the lock: takes what it sees as the new truth, and says what was done. */
  tampered(change: Extract<LockChange, 'stolen' | 'expired' | 'damaged'>): Promise<void>;
  /** Says what can't be read. Only when no session is in the middle of writing: a half-written file is no fault before a crash has made it last. */
  sayUnreadable(): void;
  /** The session that holds the lock; null when it is free, or when its holder is none of the trial's sessions. */
  holder(): string | null;
  /** How much of the present lease is left; null when it never expires or nobody holds it. */
  leaseLeft_ms(): number | null;
  /** What was read last. */
  reading(): StateReading;
}

export interface WatchOptions {
  lock: LockAdapter;
  read(site: LockSite): StateReading | Promise<StateReading>;
  site(): LockSite;
  /** Of t = 0, in milliseconds since 1970. */
  epoch_ms: number;
  /** The session with this name or pid, if the trial has one. */
  sessionOf(holder: LockHolder): string | null;
  isAlive(session: string): boolean;
  observe(observation: Observation): void;
}

/** Who wrote a durable fact, as far as it says so. */
type Written = Pick<DurableEvent, 'session' | 'token'>;

type Held = Extract<LockState, { is: 'held' }>;

const NOTHING: StateReading = { events: [], work: [], unreadable: [], debris: [] };

/** Turns successive looks at the lock and at the durable state into entries of the history. */
export function openWatch(options: WatchOptions): Watch {
  const { lock, site, observe } = options;
  let state: LockState = { is: 'free' };
  let holder: string | null = null;
  let reading = NOTHING;
  const known = new Map<string, string>();
  const knownWork = new Set<string>();
  const knownUnreadable = new Set<string>();
  const tokenHolders = new Map<number, string>();

  const say = (change: LockChange, session: string | null) => {
    const held = state.is === 'held' ? state : null;
    const expires_ms = held?.expires_at_ms == null ? null : held.expires_at_ms - options.epoch_ms;
    observe({ type: 'lock', change, session, token: (state.is === 'unreadable' ? null : state.token) ?? null, expires_ms });
  };

  /** A lock that names nobody is held by the session whose operation was seen to make it. */
  const ownerOf = (found: LockHolder, by: string | null) => (isNameless(found) ? by : options.sessionOf(found));

  function seeLock(found: LockState, by: string | null) {
    const before = state;
    state = found;
    if (state.is === 'held') {
      if (before.is === 'held' && (sameHolder(before, state) || saysNow(before, state, by))) {
        if ((state.expires_at_ms ?? 0) <= (before.expires_at_ms ?? 0)) return;
        // The dead renew nothing: a lock that names nobody has been removed and made anew between two looks.
        const isHeir = isNameless(state.holder) && by !== null && holder !== null && !options.isAlive(holder);
        if (isHeir) holder = by;
        say(isHeir ? 'acquired' : 'renewed', holder);
        return;
      }
      holder = ownerOf(state.holder, by);
      if (holder !== null && state.token !== undefined) tokenHolders.set(state.token, holder);
      say('acquired', holder);
    } else if (before.is === 'held') {
      const last = holder;
      holder = null;
      say(state.is === 'free' ? 'released' : 'damaged', last);
    } else if (state.is === 'unreadable' && before.is === 'free') {
      say('damaged', null);
    }
  }

  /** A lock gets its holder's name a moment after it is made, or loses it a moment before it is removed: that is no other holder. */
  function saysNow(before: Held, now: Held, by: string | null): boolean {
    const isHalfNamed = isNameless(before.holder) !== isNameless(now.holder);
    return isHalfNamed && before.token === now.token && holder !== null && ownerOf(now.holder, by) === holder;
  }

  function seeState(found: StateReading, by: string | null, isShown: (fact: Written) => boolean = () => true) {
    reading = found;
    const writer = (fact: Written) => fact.session ?? (fact.token === undefined ? undefined : tokenHolders.get(fact.token)) ?? by;
    for (const event of found.events.filter(isShown)) {
      const before = known.get(event.ref);
      if (before === event.id) continue;
      if (before !== undefined) observe({ type: 'event-lost', id: before, ref: event.ref });
      known.set(event.ref, event.id);
      observe({ type: 'event', id: event.id, ref: event.ref, session: writer(event), token: event.token ?? null });
    }
    const present = new Set(found.events.map(({ ref }) => ref));
    for (const [ref, id] of known) {
      if (present.has(ref)) continue;
      known.delete(ref);
      observe({ type: 'event-lost', id, ref });
    }
    for (const work of found.work.filter(isShown)) {
      // Work that is done again may overwrite what it did the first time.
      const done = JSON.stringify([work.unit, work.ref, work.token, work.session]);
      if (knownWork.has(done)) continue;
      knownWork.add(done);
      observe({ type: 'work', unit: work.unit, ref: work.ref, session: writer(work), token: work.token ?? null });
    }
  }

  return {
    async lookAtLock(by) {
      seeLock(await lock.inspect(site()), by);
    },

    async lookAtState(by) {
      seeState(await options.read(site()), by);
    },

    async look(by) {
      const foundLock = await lock.inspect(site());
      const foundState = await options.read(site());
      const heir = foundLock.is === 'held' ? ownerOf(foundLock.holder, by) : null;
      if (foundLock.is === 'held' && heir !== holder) {
        seeState(foundState, by, ({ session, token }) => session !== heir && (token === undefined || token !== foundLock.token));
      }
      seeLock(foundLock, by);
      seeState(foundState, by);
    },

    async tampered(change) {
      const robbed = holder;
      state = await lock.inspect(site());
      holder = state.is === 'held' ? options.sessionOf(state.holder) : null;
      say(change, change === 'stolen' ? null : robbed);
    },

    sayUnreadable() {
      for (const { path, why } of reading.unreadable) {
        if (knownUnreadable.has(`${path} ${why}`)) continue;
        knownUnreadable.add(`${path} ${why}`);
        observe({ type: 'unreadable', path, why });
      }
    },

    holder: () => holder,
    leaseLeft_ms: () => (state.is === 'held' && state.expires_at_ms !== null ? state.expires_at_ms - site().now_ms : null),
    reading: () => reading,
  };
}

function isNameless({ session, pid, name }: LockHolder): boolean {
  return session === undefined && pid === undefined && name === undefined;
}

function sameHolder(a: Held, b: Held): boolean {
  return a.token === b.token && a.holder.session === b.holder.session && a.holder.pid === b.holder.pid && a.holder.name === b.holder.name;
}
