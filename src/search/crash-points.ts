import type { Trial } from '../driver/trial.ts';
import type { History } from '../history/history.ts';
import type { Fault, Plan, SessionRef } from '../plan/plan.ts';
import { type CrashState, digestOfState, readCrashState, tornState } from './crash-state.ts';

/** A place at which a session can be killed. */
export interface CrashPoint {
  fault: Fault;
  /** Equal for points at which a crash leaves the same to be recovered from. */
  state: string;
}

export interface CrashWatch {
  /** For `runAndJudge`: what is told of each operation. */
  watch(state: string): Trial['atOperation'];
  /**
   * Every point of the watched trial: before, after and torn in each operation of its history from an entry on.
   *
   * Two crashes leave the same when the state directory is byte-identical and the outside world has been told the same; among several
   * sessions also when the same one was killed. How far the others have come is not compared. What a power cut leaves depends on what has been synced as well.
   */
  points(history: History, from: number, plan: Plan): CrashPoint[];
}

/** How a session is crashed: killed, before, after and torn in each operation; or by a power cut before each, which may also take back what was not synced. */
export type CrashKind = 'kill' | 'power-cut';

/** What the state directory holds, by digest, around one operation; a torn write's is null where it can't be told. */
interface Around {
  before: string;
  after: string;
  torn: { bytes: number; digest: string | null }[];
}

export function openCrashWatch(crash: CrashKind): CrashWatch {
  const around = new Map<string, Around>();
  const key = (session: string, n: number) => `${session}#${n}`;

  return {
    watch(directory) {
      let state: CrashState | null = null;
      let digest = '';
      function look() {
        state = readCrashState(directory);
        digest = digestOfState(state);
        return state;
      }
      return (edge, session, operation) => {
        const before = state ?? look();
        if (edge === 'before') {
          around.set(key(session, operation.n), { before: digest, after: digest, torn: [] });
          return;
        }
        const found = around.get(key(session, operation.n));
        if (!found || !operation.changes) return;
        const after = look();
        found.after = digest;
        const { path, bytes = 0, error } = operation;
        for (const part of error === undefined ? partsOf(bytes) : []) {
          const torn = tornState(before, after, { path, bytes }, part);
          found.torn.push({ bytes: part, digest: torn && digestOfState(torn) });
        }
      };
    },

    points({ entries }, from, { cast }) {
      const told: string[] = [];
      let synced = 0;
      return entries.flatMap((entry, index): CrashPoint[] => {
        if (entry.type === 'said' && entry.say === 'ack') told.push(entry.text);
        if (entry.type !== 'operation' || index < from) return [];
        const { session, n } = entry;
        const found = around.get(key(session, n));
        if (!found) return [];
        const where = { at: 'operation', session: session as SessionRef, n, edge: 'before' } as const;
        const state = (digest: string) => JSON.stringify([digest, told, cast.length > 1 ? session : null]);
        if (crash === 'power-cut') {
          const cut = { fault: { where, action: { do: crash } }, state: `${state(found.before)} and ${synced} syncs` };
          if (entry.kind === 'fsync' || entry.kind === 'fdatasync') synced += 1;
          return [cut];
        }
        return [
          { fault: { where, action: { do: 'kill' } }, state: state(found.before) },
          ...found.torn.map(
            ({ bytes, digest }): CrashPoint => ({
              fault: { where, action: { do: 'tear', bytes } },
              state: state(digest ?? `${found.before}, and ${bytes} bytes of ${key(session, n)}`),
            }),
          ),
          { fault: { where: { ...where, edge: 'after' }, action: { do: 'kill' } }, state: state(found.after) },
        ];
      });
    },
  };
}

/** So many bytes of a write get through: one, half of them, all but one. */
function partsOf(bytes: number): number[] {
  return [...new Set([1, Math.floor(bytes / 2), bytes - 1])].filter((part) => part > 0 && part < bytes);
}
