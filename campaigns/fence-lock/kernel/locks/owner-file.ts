import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FenceLock, isCode, RETRY_MS } from '../fence-lock.ts';
import { isGone, thisHost } from '../this-host.ts';

interface Owner {
  pid: number;
  host: string;
  session: string;
  token: string;
}

/** A lock as somebody finds it who wants it. */
interface Found {
  owner: Owner | null;
  isEmpty: boolean;
  touched_ms: number;
}

/**
 * Lock 3: a lock of its own, the directory with `owner.json` in it. Whoever finds the lock owned by a process of its own host that is gone takes it over; of anybody else's it
 * waits until it is stale.
 *
 * A lock is taken over, and given back, by moving its directory to a name that is its owner's alone. That succeeds once: when it is tried again, the name is in use and the
 * directory that would be moved is another's. So the directories of dead owners stay where they were moved to.
 */
export const ownerFile: FenceLock = ({ file, session, stale_ms, onLost }) => {
  const directory = `${file}.lock`;

  function make(owner: Owner): boolean {
    return attempt(['EEXIST', 'ENOENT'], () => {
      mkdirSync(directory);
      writeFileSync(join(directory, 'owner.json'), JSON.stringify(owner), { flag: 'wx' });
    });
  }

  /** Removes the lock if nobody has it any more, and says whether it was this call that did. */
  function removeAbandoned(): boolean {
    const found = find(directory);
    if (found === null) return true;
    const { owner, isEmpty, touched_ms } = found;
    const isDead = owner !== null && owner.host === thisHost && isGone(owner.pid);
    if (!isDead && Date.now() - touched_ms <= stale_ms) return false;
    // An empty one could be moved onto another empty one.
    if (isEmpty) return attempt(['ENOENT', 'ENOTEMPTY'], () => rmdirSync(directory));
    return moveAside(directory, owner?.token ?? String(touched_ms));
  }

  return {
    async acquire() {
      const owner: Owner = { pid: process.pid, host: thisHost, session, token: `${session}.${randomBytes(4).toString('hex')}` };
      while (!make(owner)) if (!removeAbandoned()) await sleep(RETRY_MS);
      const renewal = setInterval(() => {
        if (find(directory)?.owner?.token !== owner.token) return onLost();
        attempt(['ENOENT'], () => utimesSync(directory, Date.now() / 1000, Date.now() / 1000));
      }, stale_ms / 2).unref();
      return async () => {
        clearInterval(renewal);
        if (!moveAside(directory, owner.token)) return;
        unlinkSync(join(asideOf(directory, owner.token), 'owner.json'));
        rmdirSync(asideOf(directory, owner.token));
      };
    },
  };
};

function asideOf(directory: string, token: string): string {
  return `${directory}.was-${token}`;
}

function moveAside(directory: string, token: string): boolean {
  return attempt(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => renameSync(directory, asideOf(directory, token)));
}

/** Null: there is no lock. One whose owner can't be read is not owned by anybody that could be asked after. */
function find(directory: string): Found | null {
  let found: Found | null = null;
  attempt(['ENOENT'], () => {
    found = { isEmpty: readdirSync(directory).length === 0, touched_ms: statSync(directory).mtimeMs, owner: readOwner(directory) };
  });
  return found;
}

function readOwner(directory: string): Owner | null {
  try {
    return JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Whether the call succeeded; it may fail with these codes. */
function attempt(codes: string[], call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (!isCode(error, ...codes)) throw error;
    return false;
  }
}
