import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, stat, utimes } from 'node:fs';
import { join } from 'node:path';
import { type FenceLock, isCode } from '../fence-lock.ts';
import { isGone, thisHost } from '../this-host.ts';
import { acquireWith } from './unnamed.ts';

/**
 * Lock 2: proper-lockfile, whose directory is given its holder's name in the same synchronous step: a directory in it, `holder-<pid>-<host>-<token>`.
 * Whoever finds the lock held by a process of its own host that is gone takes it over; of anybody else's it waits until it is stale.
 */
export const named: FenceLock = (options) => ({
  acquire: () =>
    acquireWith({ ...options, fs: namingFs(`holder-${process.pid}-${thisHost}-${options.session}.${randomBytes(4).toString('hex')}`) }),
});

/** What proper-lockfile calls of a file system, for one acquisition. */
function namingFs(name: string) {
  let holds = false;
  /** The names that were in the lock when it was found held. */
  let met: string[] = [];

  function make(path: string) {
    mkdirSync(path);
    mkdirSync(join(path, name));
    holds = true;
  }

  function makeOrTakeOver(path: string) {
    try {
      make(path);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      met = namesIn(path);
      const [dead, ...others] = met;
      if (dead === undefined || others.length > 0 || !isDead(dead)) throw error;
      // Whoever removes the name has won. All others find that it is gone.
      if (!remove(join(path, dead))) throw error;
      remove(path);
      make(path);
    }
  }

  /** Gives the lock back; or, of who does not hold it, removes a stale one. */
  function unmake(path: string) {
    if (holds) {
      holds = false;
      // #component own-name-only
      // Where it is gone, another has taken the lock over, and it is not ours to remove.
      if (!remove(join(path, name))) return;
      // #end
      remove(path);
    } else {
      // #component stale-names
      // A stale lock is removed by whoever removes the names that it had. What is there now may be another's, who was faster and has not named it yet.
      if (!met.every((stale) => remove(join(path, stale)))) throw wasFaster();
      // #end
      rmdirSync(path);
    }
  }

  return {
    mkdir: asynchronous(makeOrTakeOver),
    rmdir: asynchronous(unmake),
    rmdirSync: unmake,
    stat,
    utimes,
  };
}

/** To proper-lockfile an error like any other: it tries again. */
function wasFaster(): Error {
  return Object.assign(new Error('another was faster'), { code: 'ELOCKED' });
}

/** Whether a name is that of a process of this host which no longer runs. */
function isDead(name: string): boolean {
  const [, pid, host] = /^holder-(\d+)-([0-9a-f]+)-/.exec(name) ?? [];
  return pid !== undefined && host === thisHost && isGone(Number(pid));
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Removes an empty directory, and says whether it was this call that did. */
function remove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTEMPTY')) return false;
    throw error;
  }
}

/** With a callback in place of a result, as proper-lockfile calls it. */
function asynchronous(act: (path: string) => void) {
  return (path: string, callback: (error: unknown) => void) => {
    let failure: unknown = null;
    try {
      act(path);
    } catch (error) {
      failure = error;
    }
    process.nextTick(callback, failure);
  };
}
