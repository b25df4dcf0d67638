'use strict';
/** Puts the controlled file system in the place of Node's: synchronous, callback and promise forms. */
const fs = require('node:fs');
const { callbackForm, promiseForm } = require('./delivery.cjs');
const operations = require('./file-operations.cjs');
const { likeness } = require('./likeness.cjs');
const wholeFiles = require('./whole-files.cjs');

/** @typedef {(...args: any[]) => any} Call */

/** @type {Record<string, Call>} */
const synchronous = { ...operations, ...wholeFiles };

/** What else than the result goes to a callback. @type {Record<string, (result: any, args: any[]) => any[]>} */
const results = {
  read: (length, args) => [length, args[1]],
  write: (length, args) => [length, args[1]],
  readv: (length, args) => [length, args[1]],
  writev: (length, args) => [length, args[1]],
};

function install() {
  const functions = /** @type {any} */ (fs);
  const promises = /** @type {any} */ (fs.promises);
  for (const [name, sync] of Object.entries(synchronous)) {
    const original = functions[name];
    if (original === undefined) continue;
    functions[name] = likeness(sync, original);
    const short = name.slice(0, -'Sync'.length);
    if (functions[short] !== undefined) functions[short] = likeness(callbackForm(sync, functions[short], results[short]), functions[short]);
    if (promises[short] !== undefined) promises[short] = likeness(promiseForm(sync), promises[short]);
  }
}

module.exports = { install };
