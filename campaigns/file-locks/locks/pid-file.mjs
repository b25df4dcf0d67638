import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The daemon's classic: whoever makes the file holds the lock, and a file that names a process which no longer runs may be removed. @param {string} path */
export async function acquire(path) {
  while (!make(path)) {
    const pid = Number(read(path));
    // An empty file is that of somebody who is about to write its pid.
    if (pid > 0 && !isRunning(pid)) remove(path);
    else await sleep(100);
  }
  return () => remove(path);
}

/** @param {string} path */
function make(path) {
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
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
