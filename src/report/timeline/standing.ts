import type { Entry } from '../../history/history.ts';

/** How things stand at one instant of a history. */
export interface Standing {
  /** In order of start; stays when a session has ended. */
  sessions: string[];
  alive: Set<string>;
  /** Since when. */
  paused: Map<string, number>;
  /** Whom the lock names, its token, whether the harness took it (`stolen`), and until when, in trial time. `holder` is null when the lock names nobody, or the harness. */
  lock: { holder: string | null; token: number | null; stolen: boolean; expires_ms: number | null } | null;
  /** Sessions that believe that they are in their critical section. */
  inside: Set<string>;
}

export function atStart(): Standing {
  return { sessions: [], alive: new Set(), paused: new Map(), lock: null, inside: new Set() };
}

/** Brings the standing up to date with the next entry. */
export function follow(standing: Standing, entry: Entry): void {
  switch (entry.type) {
    case 'spawn':
      standing.sessions.push(entry.session);
      standing.alive.add(entry.session);
      return;
    case 'end':
      standing.alive.delete(entry.session);
      standing.paused.delete(entry.session);
      standing.inside.delete(entry.session);
      return;
    case 'paused':
      standing.paused.set(entry.session, entry.t_ms);
      return;
    case 'continued':
      standing.paused.delete(entry.session);
      return;
    case 'said':
      if (entry.say === 'enter') standing.inside.add(entry.session);
      if (entry.say === 'exit') standing.inside.delete(entry.session);
      return;
    case 'lock':
      if (entry.change === 'released' || entry.change === 'damaged') standing.lock = null;
      else if (entry.change !== 'expired') {
        const { session: holder, token, expires_ms } = entry;
        standing.lock = { holder, token, stolen: entry.change === 'stolen', expires_ms };
      }
  }
}
