'use strict';
/** Puts the controlled file system in the place of Node's: synchronous, callback and promise forms. */
const fs = require('node:fs');
const { uncontrolled } = require('./channel.cjs');
const { callbackForm, promiseForm } = require('./delivery.cjs');
const { FileHandle, open, writeInto } = require('./file-handle.cjs');
const operations = require('./file-operations.cjs');
const { likeness } = require('./likeness.cjs');
const { inState } = require('./paths.cjs');
const real = require('./real-fs.cjs');
const trees = require('./trees.cjs');
const wholeFiles = require('./whole-files.cjs');

/** @typedef {(...args: any[]) => any} Call */

/** @type {Record<string, Call>} */
const synchronous = { ...operations, ...wholeFiles, ...trees };

/** What else than the result goes to a callback. @type {Record<string, (result: any, args: any[]) => any[]>} */
const results = {
  read: (length, args) => [length, args[1]],
  write: (length, args) => [length, args[1]],
  readv: (length, args) => [length, args[1]],
  writev: (length, args) => [length, args[1]],
};

/** Node's own copy these calls step by step, by means of the controlled functions. */
const leftToNode = new Set(['cp']);

/** Watching is told by the kernel's own threads. @param {string} name @param {Call} original @returns {Call} */
const watching =
  (name, original) =>
  (...args) => {
    if (inState(args[0]) !== null) uncontrolled(`fs.${name}`);
    return original(...args);
  };

/** @param {any} file @param {any[]} rest */
const readFile = (file, ...rest) => (file instanceof FileHandle ? /** @type {any} */ (file).readFile(...rest) : readPath(file, ...rest));
const readPath = promiseForm(wholeFiles.readFileSync);

/** @param {'w' | 'a'} flag @param {Call} write */
const writer = (flag, write) => {
  const writePath = promiseForm(write);
  /** @param {any} file @param {any} data @param {any} [options] */
  return async (file, data, options) => {
    if (file instanceof FileHandle) return writeInto(file, data, options);
    options?.signal?.throwIfAborted();
    if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return writePath(file, data, options);
    const handle = await open(file, options?.flag ?? flag, options?.mode);
    try {
      await writeInto(handle, data, options);
    } finally {
      await handle.close();
    }
  };
};

const existing = /** @type {Call} */ (operations.existsSync);

function install() {
  const functions = /** @type {any} */ (fs);
  const promises = /** @type {any} */ (fs.promises);
  for (const [name, sync] of Object.entries(synchronous)) {
    const original = functions[name];
    if (original === undefined) continue;
    functions[name] = likeness(sync, original);
    const short = name.slice(0, -'Sync'.length);
    if (leftToNode.has(short)) continue;
    if (functions[short] !== undefined) functions[short] = likeness(callbackForm(sync, functions[short], results[short]), functions[short]);
    if (promises[short] !== undefined) promises[short] = likeness(promiseForm(sync), promises[short]);
  }
  /** @param {any} path @param {(exists: boolean) => void} callback */
  const exists = (path, callback) => {
    if (typeof callback !== 'function') return real.exists(path, callback);
    callbackForm(existing, real.exists)(path, (/** @type {null} */ _error, /** @type {boolean} */ found) => callback(found));
  };
  functions.exists = likeness(exists, functions.exists);
  for (const name of ['watch', 'watchFile']) functions[name] = likeness(watching(name, functions[name]), functions[name]);
  promises.watch = likeness(watching('watch', promises.watch), promises.watch);
  promises.open = likeness(open, promises.open);
  promises.readFile = likeness(readFile, promises.readFile);
  promises.writeFile = likeness(writer('w', wholeFiles.writeFileSync), promises.writeFile);
  promises.appendFile = likeness(writer('a', wholeFiles.appendFileSync), promises.appendFile);
}

module.exports = { install };
