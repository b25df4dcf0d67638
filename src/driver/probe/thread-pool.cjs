'use strict';
/**
 * Compression and cryptography run in Node's thread pool, whose timing nobody controls. Compression is carried out at once and
 * delivered later, as file operations are; what cryptography does there, the process is not idle before it is over.
 */
const { binding } = require('./binding.cjs');
const { likeness } = require('./likeness.cjs');
const { counted } = require('./pending-work.cjs');
const { setImmediate } = require('./timers.cjs');

/** @typedef {(...args: any[]) => any} Call */

/** A compressor's handle tells of a finished step through a function that `init` is given. */
function compressAtOnce() {
  const handles = binding('zlib');
  for (const name of ['Zlib', 'BrotliEncoder', 'BrotliDecoder', 'ZstdCompress', 'ZstdDecompress']) {
    const prototype = handles[name]?.prototype;
    if (prototype === undefined) continue;
    const { init } = prototype;
    /** @type {WeakMap<object, Call>} */
    const finished = new WeakMap();
    /** @this {any} @param {any[]} args */
    prototype.init = function (...args) {
      const step = args.find((argument) => typeof argument === 'function');
      if (step !== undefined) finished.set(this, step);
      return init.apply(this, args);
    };
    /** @this {any} @param {any[]} args */
    prototype.write = function (...args) {
      this.writeSync(...args);
      setImmediate(() => finished.get(this)?.call(this));
    };
  }
}

/** @param {any} owner @param {string} name */
function countCallbacks(owner, name) {
  const original = owner[name];
  if (original === undefined) return;
  const call = (/** @type {any[]} */ ...args) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return original(...args);
    const over = counted();
    const last = (/** @type {any[]} */ ...results) => {
      over();
      callback(...results);
    };
    try {
      return original(...args.slice(0, -1), last);
    } catch (error) {
      over();
      throw error;
    }
  };
  owner[name] = likeness(call, original);
}

/** @param {any} prototype @param {string} name */
function countPromises(prototype, name) {
  const original = prototype[name];
  /** @this {any} @param {any[]} args */
  const call = function (...args) {
    const over = counted();
    const promise = original.apply(this, args);
    promise.then(over, over);
    return promise;
  };
  prototype[name] = likeness(call, original);
}

/** @param {any} crypto */
function countCryptography(crypto) {
  const callbacks = [
    'pbkdf2',
    'scrypt',
    'hkdf',
    'argon2',
    'generateKeyPair',
    'generateKey',
    'generatePrime',
    'checkPrime',
    'sign',
    'verify',
    'diffieHellman',
  ];
  for (const name of callbacks) countCallbacks(crypto, name);
  const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(subtle))) {
    if (typeof value === 'function' && name !== 'constructor') countPromises(subtle, name);
  }
}

module.exports = { install: compressAtOnce, countCryptography };
