import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * O_EXCL and a time to live: whoever makes the file holds the lock until the time that is written in it. One that can't be read is as old as the file.
 * @param {string} path @param {{ session: string, stale_ms: number }} options
 */
export async function acquire(path, { session, stale_ms }) {
  const claim = () => `${session} ${Date.now() + stale_ms}`;
  while (!make(path, claim())) {
    if (expiry(path, stale_ms) < Date.now()) remove(path);
    else await sleep(100);
  }
  return () => {
    if (read(path).startsWith(`${session} `)) remove(path);
  };
}

/** @param {string} path @param {string} text */
function make(path, text) {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path @param {number} stale_ms */
function expiry(path, stale_ms) {
  const written = /^\S+ (\d{13})$/.exec(read(path))?.[1];
  if (written !== undefined) return Number(written);
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) + stale_ms;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} path */
function remove(path) {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else removed it.
  }
}
