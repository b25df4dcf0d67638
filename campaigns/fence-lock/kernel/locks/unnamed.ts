// @ts-expect-error: the package brings no types
import lockfile from 'proper-lockfile';
import { type FenceLock, RETRY_MS } from '../fence-lock.ts';

/** Lock 1: proper-lockfile as it is. Its directory says nothing of its holder, so that a dead one's is waited for until it is stale. */
export const unnamed: FenceLock = (options) => ({ acquire: () => acquireWith(options) });

/** A lock of proper-lockfile, made through another file system than node's. */
export function acquireWith({ file, stale_ms, onLost, fs }: Parameters<FenceLock>[0] & { fs?: object }): Promise<() => Promise<void>> {
  return lockfile.lock(file, {
    // The file itself need not exist.
    realpath: false,
    stale: stale_ms,
    retries: { forever: true, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
    onCompromised: onLost,
    ...(fs && { fs }),
  });
}
