import { lstatSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockState } from './lock.ts';

/**
 * The lock of the npm package proper-lockfile: a directory that names nobody, and whose modification time is the lease. It is held while it
 * exists; it may be removed and taken by anybody once it has not been touched for the time that the package calls `stale`, which is the campaign's TTL.
 *
 * @param path of the directory, relative to the state directory: the locked file's name with `.lock` behind it
 */
export function properLockfile(path: string) {
  const at = (state: string) => join(state, path);

  return {
    kind: 'proper-lockfile',
    covers: (other) => other === path,
    releases: ({ kind }) => kind === 'rmdir',

    inspect({ state, ttl_ms }): LockState {
      const found = lstatSync(at(state), { throwIfNoEntry: false });
      if (!found) return { is: 'free' };
      if (!found.isDirectory()) return { is: 'unreadable', why: `${path} is no directory` };
      return { is: 'held', holder: {}, expires_at_ms: Math.round(found.mtimeMs) + ttl_ms };
    },

    // The thief touches it at another time than the holder did, by which the holder knows that it is not its own any more.
    steal({ state, now_ms }) {
      rmSync(at(state), { recursive: true, force: true });
      mkdirSync(at(state));
      utimesSync(at(state), now_ms / 1000, now_ms / 1000);
    },

    expire({ state, now_ms, ttl_ms }) {
      const stale = (now_ms - ttl_ms - 1) / 1000;
      utimesSync(at(state), stale, stale);
    },

    // There is nothing in it that could be damaged: it is a directory, or it is not.
    corrupt({ state }, how) {
      rmSync(at(state), { recursive: true, force: true });
      if (how !== 'remove') writeFileSync(at(state), how === 'garbage' ? '\u0000\u0001garbage' : '');
    },
  } satisfies LockAdapter;
}
