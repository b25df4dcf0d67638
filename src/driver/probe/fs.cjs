'use strict';
/** Puts the controlled file system in the place of Node's: synchronous, callback and promise forms. */
const fs = require('node:fs');
const { uncontrolled } = require('./channel.cjs');
const { callbackForm, promiseForm } = require('./delivery.cjs');
const { FileHandle, open, readInto, writeInto } = require('./file-handle.cjs');
const operations = require('./file-operations.cjs');
const { likeness } = require('./likeness.cjs');
const { systemError } = require('./operation.cjs');
const { inState } = require('./paths.cjs');
const real = require('./real-fs.cjs');
const trees = require('./trees.cjs');
const wholeFiles = require('./whole-files.cjs');

/** @typedef {(...args: any[]) => any} Call */

/** @type {Record<string, Call>} */
const synchronous = { ...operations, ...wholeFiles, ...trees };

/** What else than the result goes to a callback. @param {any} length @param {any[]} args */
const withBuffer = (length, args) => [length, args[1]];
/** @type {Record<string, (result: any, args: any[]) => any[]>} */
const results = { read: withBuffer, write: withBuffer, readv: withBuffer, writev: withBuffer };

/** Where the asynchronous form takes other arguments, or fails in other words, than the synchronous one. @type {Record<string, (sync: Call) => Call>} */
const adapted = {
  mkdtempDisposable:
    (sync) =>
    (...args) => {
      const { path, remove } = sync(...args);
      const removeLater = promiseForm(remove);
      return { path, remove: removeLater, [Symbol.asyncDispose]: removeLater };
    },
  opendir:
    (sync) =>
    (...args) => {
      try {
        return sync(...args);
      } catch (error) {
        const { code, syscall, path } = /** @type {NodeJS.ErrnoException} */ (error);
        throw syscall === 'opendir' && path === undefined && code !== undefined ? systemError(code, syscall, args[0]) : error;
      }
    },
};

/** Node's own copy these calls step by step, by means of the controlled functions. */
const leftToNode = new Set(['cp']);

/** What the operating system tells or reads by itself. @param {string} name @param {Call} original @returns {Call} */
const watching =
  (name, original) =>
  (...args) => {
    if (inState(args[0]) !== null) uncontrolled(`fs.${name}`);
    return original(...args);
  };

/** `fs.read(fd, callback)`, and with options. @param {Call} read @returns {Call} */
const readInParts =
  (read) =>
  (...args) => {
    const callback = args.at(-1);
    if (args.length > 3 || ArrayBuffer.isView(args[1])) return read(...args);
    const { buffer, offset, length, position } = readInto(args.length === 2 ? {} : args[1], 0, 0, null);
    return read(args[0], buffer, offset, length, position, callback);
  };

/** Where the signal has come already, Node refuses. @param {Call} call @param {Call} original @param {number} place of the options @returns {Call} */
const unlessAborted =
  (call, original, place) =>
  (...args) =>
    (args[place]?.signal?.aborted ? original : call)(...args);

const readPath = promiseForm(wholeFiles.readFileSync);
/** @param {any} file @param {any[]} rest */
const readFile = (file, ...rest) => (file instanceof FileHandle ? /** @type {any} */ (file).readFile(...rest) : readPath(file, ...rest));

/** @param {'w' | 'a'} flag @param {Call} write */
const writer = (flag, write) => {
  const writePath = promiseForm(write);
  /** @param {any} file @param {any} data @param {any} [options] */
  return async (file, data, options) => {
    if (file instanceof FileHandle) return writeInto(file, data, options);
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
  const realPromises = { ...promises };
  for (const [name, sync] of Object.entries(synchronous)) {
    const original = functions[name];
    if (original === undefined) continue;
    functions[name] = likeness(sync, original);
    const short = name.slice(0, -'Sync'.length);
    if (leftToNode.has(short)) continue;
    const call = adapted[short]?.(sync) ?? sync;
    if (functions[short] !== undefined) functions[short] = likeness(callbackForm(call, functions[short], results[short]), functions[short]);
    if (promises[short] !== undefined) promises[short] = likeness(promiseForm(call), promises[short]);
  }
  /** @param {any} path @param {(exists: boolean) => void} callback */
  const exists = (path, callback) => {
    if (typeof callback !== 'function') return real.exists(path, callback);
    callbackForm(existing, real.exists)(path, (/** @type {null} */ _error, /** @type {boolean} */ found) => callback(found));
  };
  functions.exists = likeness(exists, functions.exists);
  for (const name of ['watch', 'watchFile', 'openAsBlob']) functions[name] = likeness(watching(name, functions[name]), functions[name]);
  promises.watch = likeness(watching('watch', promises.watch), promises.watch);
  promises.open = likeness(open, promises.open);
  for (const name of ['createReadStream', 'createWriteStream']) {
    const original = functions[name];
    const create = (/** @type {any} */ path, /** @type {any} */ options) =>
      options?.fd instanceof FileHandle ? options.fd[name](options) : original(path, options);
    functions[name] = likeness(create, original);
  }
  functions.realpath.native = likeness(callbackForm(functions.realpathSync.native, real.realpath.native), real.realpath.native);
  functions.read = likeness(readInParts(functions.read), functions.read);
  functions.readFile = likeness(unlessAborted(functions.readFile, real.readFile, 1), functions.readFile);
  promises.readFile = likeness(unlessAborted(readFile, realPromises.readFile, 1), promises.readFile);
  promises.writeFile = likeness(unlessAborted(writer('w', wholeFiles.writeFileSync), realPromises.writeFile, 2), promises.writeFile);
  promises.appendFile = likeness(unlessAborted(writer('a', wholeFiles.appendFileSync), realPromises.appendFile, 2), promises.appendFile);
}

module.exports = { install };
