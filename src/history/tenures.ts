import type { Entry, EntryOf, History } from './history.ts';

/** One uninterrupted holding of the lock. Entries are given by their index in the history. */
export interface Tenure {
  /** Null: the lock names nobody, or the harness holds it. */
  session: string | null;
  token: number | null;
  /** The entry with which it began, `acquired` as a rule. */
  from: number;
  /** The entry with which it ended; null: it never did. */
  to: number | null;
  /**
   * `released` by its own holder; `robbed`: passed on while the holder lived and had not released it;
   * `inherited`: passed on after the holder had died, or from somebody who is not a session. Null: it never ended.
   */
  how: 'released' | 'robbed' | 'inherited' | null;
}

/**
 * The holdings of the lock, in order. A lock that somebody else removed, or that was damaged, is not released: it passes on when another acquires it.
 * The same session and token again is the same tenure.
 */
export function tenuresOf(history: History): Tenure[] {
  const { entries, trial } = history;
  const tenures: Tenure[] = [];
  const dead = new Set<string>();
  const paused = new Set<string>();
  let open: Tenure | null = null;

  function begin(index: number, session: string | null, token: number | null) {
    if (open && session !== null && open.session === session && open.token === token) return;
    if (isBackWithTheDead(session, token)) return;
    if (open) end(open, index, howItPassed(open, index, session));
    open = { session, token, from: index, to: null, how: null };
    tenures.push(open);
  }

  /** A power cut that takes an acquisition back leaves the lock as the dead holder before it had left it. */
  function isBackWithTheDead(session: string | null, token: number | null): boolean {
    return session !== null && token !== null && dead.has(session) && tenures.some((had) => had.session === session && had.token === token);
  }

  /**
   * Under live, a release that is followed at once by another's acquisition is seen as one change. So a running holder with a good lease has
   * released, for all that was seen; that it was pushed out nevertheless shows only where it says what its critical section is.
   */
  function howItPassed(tenure: Tenure, index: number, to: string | null): Tenure['how'] {
    if (tenure.session === null || dead.has(tenure.session)) return 'inherited';
    if (tenure.session === to) return 'released';
    const mayHaveReleased = trial.driver === 'live' && !paused.has(tenure.session) && !hadLapsed(history, tenure, index);
    return mayHaveReleased && to !== null ? 'released' : 'robbed';
  }

  function end(tenure: Tenure, index: number, how: Tenure['how']) {
    tenure.to = index;
    tenure.how = how;
    open = null;
  }

  /** The history says which lock became free, and the operation before it who did that. Under live nobody sees it: whoever could have, did. */
  function isByHolder(index: number, holder: string | null) {
    const before = entries[index - 1];
    if (before?.type === 'operation') return holder === null || before.session === holder;
    return holder === null || !(dead.has(holder) || paused.has(holder));
  }

  for (const [index, entry] of entries.entries()) {
    switch (entry.type) {
      case 'killed':
      case 'end':
        dead.add(entry.session);
        break;
      case 'paused':
        paused.add(entry.session);
        break;
      case 'continued':
        paused.delete(entry.session);
        break;
      case 'lock': {
        const current = open as Tenure | null;
        if (entry.change === 'acquired' || entry.change === 'stolen') begin(index, entry.session, entry.token);
        else if (entry.change === 'renewed' && entry.session !== null && entry.session !== current?.session)
          begin(index, entry.session, entry.token);
        else if (entry.change === 'released' && current && isByHolder(index, current.session)) end(current, index, 'released');
      }
    }
  }
  return tenures;
}

/** A tenure that passed on under a living session. */
export type Theft = Tenure & { session: string; to: number };

export function theftsOf(tenures: Tenure[]): Theft[] {
  return tenures.filter((tenure): tenure is Theft => tenure.how === 'robbed');
}

/** The tenure that a session has at an entry, or had last before it. */
export function lastTenure(tenures: Tenure[], session: string | null, index: number): Tenure | undefined {
  return tenures.findLast((tenure) => tenure.session === session && tenure.from <= index);
}

/**
 * Whether the lease of a tenure had ended by the time of an entry: it had run out by the lock's own reckoning,
 * or the harness had taken it, ended it or damaged it. A lock that its own users damaged is no excuse.
 */
export function hadLapsed({ entries }: History, tenure: Tenure, index: number): boolean {
  let expires_ms: number | null = null;
  let tamperedWith = false;
  for (let i = tenure.from; i < index; i += 1) {
    const entry = entries[i] as Entry;
    if (entry.type === 'lock') {
      if (entry.change === 'expired' || entry.change === 'stolen') tamperedWith = true;
      else if (entry.session === tenure.session && (entry.change === 'acquired' || entry.change === 'renewed')) {
        expires_ms = entry.expires_ms;
        tamperedWith = false;
      }
    } else if (entry.type === 'fault' && isCorruption(entry)) tamperedWith = true;
  }
  return tamperedWith || (expires_ms !== null && (entries[index] as Entry).t_ms >= expires_ms);
}

function isCorruption({ fault, phase }: EntryOf<'fault'>): boolean {
  return phase !== 'failed' && fault.includes(':corrupt=');
}
