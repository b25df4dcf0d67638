import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockHolder, LockState } from '../../src/locks/lock.ts';

/** The directory that is the lock, whoever made it: what is in it says whose it is. */
export const LOCK = '.locks/runs/run-1.in-band.lock';

/**
 * All three locks: a directory, held while it exists, whose modification time is the lease. An unnamed one is held by whoever was seen to make it, and so are the
 * others until they have their holder's name.
 */
export const fenceLockAdapter: LockAdapter = {
  kind: 'fence-lock',
  covers: (path) => path.startsWith('.locks/'),
  releases: ({ kind }) => kind === 'rmdir' || kind === 'rename' || kind === 'unlink',

  inspect({ state, ttl_ms }): LockState {
    const found = lstatSync(join(state, LOCK), { throwIfNoEntry: false });
    if (!found) return { is: 'free' };
    return { is: 'held', holder: holderIn(join(state, LOCK)), expires_at_ms: Math.round(found.mtimeMs) + ttl_ms };
  },

  // As another host's writer that waited until the lock was stale.
  steal({ state, now_ms }) {
    rmSync(join(state, LOCK), { recursive: true, force: true });
    mkdirSync(join(state, LOCK));
    utimesSync(join(state, LOCK), now_ms / 1000, now_ms / 1000);
  },

  expire({ state, now_ms, ttl_ms }) {
    const stale = (now_ms - ttl_ms - 1) / 1000;
    utimesSync(join(state, LOCK), stale, stale);
  },

  corrupt({ state }, how) {
    rmSync(join(state, LOCK), { recursive: true, force: true });
    if (how !== 'remove') writeFileSync(join(state, LOCK), how === 'garbage' ? '\u0000\u0001garbage' : '');
  },
};

function holderIn(directory: string): LockHolder {
  for (const name of readdirSync(directory)) {
    const session =
      /^holder-\d+-[0-9a-f]+-(s\d+)\./.exec(name)?.[1] ?? (name === 'owner.json' ? ownerIn(join(directory, name)) : undefined);
    if (session !== undefined) return { session };
  }
  return {};
}

/** Undefined while the file is being written, or when that was never finished. */
function ownerIn(path: string): string | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).session;
  } catch {
    return undefined;
  }
}
