import type { Window } from '../plan/plan.ts';
import type { Entry, Operation, TrialFacts } from './history.ts';

/** The operation before which a session stands, and whether the lock adapter calls it part of a release. */
export type PendingOperation = Pick<Operation, 'changes' | 'lock'> & { releasing?: boolean };

/** In which windows the sessions of a trial are, as the history so far tells. */
export interface Windows {
  /** Takes in the next entry of the history. */
  observe(entry: Entry): void;
  /** The windows of a session at this instant, at least one; `['idle']` when it is in none of the others, or not alive. */
  of(session: string, pending?: PendingOperation): Window[];
}

interface Life {
  /** Whether it has begun to try for the lock since it last held it. */
  trying: boolean;
  everHeld: boolean;
  /** Owes the first new event after a kill. */
  recovering: boolean;
}

/**
 * A fold over the history: observe each entry once, in order, and ask at any time.
 *
 * - recovering: from the spawn of a session that was started in place of a killed one or while a killed holder's lock had nobody to make good
 *   for it, or from the taking over of such a lock, until the session's own first new durable event;
 * - acquiring: not holding, and trying: since its first lock operation under sim, since its spawn under live. A session that has held the
 *   lock before looks at it for other reasons too (to find out that it was robbed), so it tries again only with a lock operation that changes something;
 * - holding: the lock names it. An expired lease is still held; a stolen, damaged or released one is not;
 * - renewing, releasing: about to change the lock while holding it. Looking at the lock is neither: a check of the token is no renewal;
 * - writing: about to change something that is not the lock while holding it.
 */
export function openWindows(driver: TrialFacts['driver']): Windows {
  const alive = new Map<string, Life>();
  const killed = new Set<string>();
  const holderOfToken = new Map<number, string>();
  let holder: string | null = null;
  /** A session was killed while it held the lock, and no event has come since. */
  let bereft = false;

  function acquired(session: string | null, token: number | null) {
    if (session !== null && token !== null) holderOfToken.set(token, session);
    holder = session;
    const life = session === null ? undefined : alive.get(session);
    if (!life) return;
    life.trying = false;
    life.everHeld = true;
    if (bereft) life.recovering = true;
  }

  function tries(life: Life, operation: Pick<Operation, 'changes' | 'lock'>) {
    return operation.lock && (operation.changes || !life.everHeld);
  }

  return {
    observe(entry) {
      switch (entry.type) {
        case 'spawn': {
          const replacesKilled = entry.replaces !== null && killed.has(entry.replaces);
          alive.set(entry.session, { trying: driver === 'live', everHeld: false, recovering: bereft || replacesKilled });
          break;
        }
        case 'operation': {
          const life = alive.get(entry.session);
          if (life && holder !== entry.session && tries(life, entry)) life.trying = true;
          break;
        }
        case 'lock':
          if (entry.change === 'acquired' || (entry.change === 'renewed' && entry.session !== holder)) acquired(entry.session, entry.token);
          else if (entry.change !== 'renewed' && entry.change !== 'expired') holder = null;
          break;
        case 'event': {
          const writer = entry.session ?? (entry.token === null ? undefined : holderOfToken.get(entry.token));
          bereft = false;
          const life = writer === undefined ? undefined : alive.get(writer);
          if (life) life.recovering = false;
          break;
        }
        case 'killed':
          killed.add(entry.session);
          bereft ||= entry.held_lock;
          break;
        case 'end':
          if (entry.signal !== null) killed.add(entry.session);
          alive.delete(entry.session);
          break;
      }
    },

    of(session, pending) {
      const life = alive.get(session);
      if (!life) return ['idle'];
      const windows: Window[] = [];
      if (holder === session) {
        windows.push('holding');
        if (pending?.changes) windows.push(!pending.lock ? 'writing' : pending.releasing ? 'releasing' : 'renewing');
      } else if (pending?.releasing && life.everHeld) windows.push('releasing');
      else if (life.trying || (pending && tries(life, pending))) windows.push('acquiring');
      if (life.recovering) windows.push('recovering');
      return windows.length > 0 ? windows : ['idle'];
    },
  };
}
