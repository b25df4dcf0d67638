// @ts-expect-error: the package is the subject's
import lockfile from 'proper-lockfile';

/** @param {string} path @param {{ stale_ms: number, onLost: () => void }} options @returns {Promise<() => Promise<void>>} */
export function acquire(path, { stale_ms, onLost }) {
  return lockfile.lock(path.replace(/\.lock$/, ''), {
    realpath: false,
    stale: stale_ms,
    update: 1000,
    retries: { retries: 100_000, factor: 1, minTimeout: 100, maxTimeout: 100 },
    onCompromised: onLost,
  });
}
