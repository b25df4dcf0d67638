import { promisify } from 'node:util';
// @ts-expect-error: the package is the subject's
import lockfile from 'lockfile';

/** @param {string} path @param {{ stale_ms: number }} options */
export async function acquire(path, { stale_ms }) {
  await promisify(lockfile.lock)(path, { stale: stale_ms, wait: 3_600_000, pollPeriod: 100 });
  return () => promisify(lockfile.unlock)(path);
}
