'use strict';
/**
 * Virtual file times. What an operation changes is stamped with virtual time on the real file, so that every process of the
 * trial and the harness read the same. No file system stores a birth or a change time that it is told, and reading would
 * touch the access time of directories and links: these are answered from the modification time.
 */
const { dirname } = require('node:path');
const { observing } = require('./channel.cjs');
const { wall } = require('./clock.cjs');
const { text } = require('./paths.cjs');
const real = require('./real-fs.cjs');

/** A time in seconds is rounded down to the file's nanoseconds: this little more keeps the millisecond. */
const GUARD_MS = 0.0003;
const stamp = () => (wall() + GUARD_MS) / 1000;

/** @param {() => void} touch */
function attempt(touch) {
  if (observing) return;
  try {
    touch();
  } catch {
    // Gone already, or not ours: then nobody reads its times.
  }
}

/** @param {any} path */
const touch = (path) => attempt(() => real.utimesSync(path, stamp(), stamp()));

/** @param {any} path */
const touchLink = (path) => attempt(() => real.lutimesSync(path, stamp(), stamp()));

/** @param {number} descriptor */
const touchDescriptor = (descriptor) => attempt(() => real.futimesSync(descriptor, stamp(), stamp()));

/** An entry came or went. @param {unknown} path */
const touchParent = (path) => touch(dirname(/** @type {string} */ (text(path))));

/** Milliseconds without the guard. @param {number} ms */
const exact = (ms) => (ms - Math.floor(ms) < 0.0006 ? Math.floor(ms) : ms);

/** @param {bigint} ns */
const exactNs = (ns) => (ns % 1_000_000n < 600n ? ns - (ns % 1_000_000n) : ns);

/**
 * @template {any} T
 * @param {T} stats of a file in the state directory
 * @returns {T}
 */
function virtualStats(stats) {
  const times = /** @type {any} */ (stats);
  if (times === undefined || observing) return stats;
  const plain = times.isFile();
  if (typeof times.mtimeMs === 'bigint') {
    times.mtimeNs = exactNs(times.mtimeNs);
    times.atimeNs = plain ? exactNs(times.atimeNs) : times.mtimeNs;
    times.ctimeNs = times.mtimeNs;
    times.birthtimeNs = times.atimeNs < times.mtimeNs ? times.atimeNs : times.mtimeNs;
    for (const name of ['mtime', 'atime', 'ctime', 'birthtime']) times[`${name}Ms`] = times[`${name}Ns`] / 1_000_000n;
    return stats;
  }
  times.mtimeMs = exact(times.mtimeMs);
  times.atimeMs = plain ? exact(times.atimeMs) : times.mtimeMs;
  times.ctimeMs = times.mtimeMs;
  times.birthtimeMs = Math.min(times.atimeMs, times.mtimeMs);
  return stats;
}

module.exports = { touch, touchLink, touchDescriptor, touchParent, virtualStats };
