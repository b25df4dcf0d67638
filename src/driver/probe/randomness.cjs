'use strict';
/** All randomness of the program comes from the session's seed. */
const { session } = require('./channel.cjs');
const { likeness } = require('./likeness.cjs');
const { whenAsked } = require('./on-demand.cjs');
const { countCryptography } = require('./thread-pool.cjs');
const { setImmediate } = require('./timers.cjs');

/**
 * A stream of 32-bit numbers: Chris Doty-Humphrey's sfc32, seeded from a text by FNV-1a with one offset for each word.
 * Fast and of good quality; of no use against an adversary, whom a simulation doesn't have.
 * @param {string} seed
 */
function stream(seed) {
  const word = (/** @type {number} */ offset) => {
    let hash = 0x811c9dc5 ^ offset;
    for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
    return hash | 0;
  };
  let [a, b, c, counter] = [word(1), word(2), word(3), 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round++) next();
  return next;
}

/** @type {() => number} */
let word = () => 0;
/** @type {() => number} */
let fractionWord = () => 0;

/** In [0, 1), with 53 bits. @param {() => number} from */
const fraction = (from) => ((from() >>> 5) * 2 ** 26 + (from() >>> 6)) / 2 ** 53;

/** @param {ArrayBuffer | SharedArrayBuffer} buffer @param {number} offset @param {number} length */
function fill(buffer, offset, length) {
  const bytes = new Uint8Array(buffer, offset, length);
  for (let at = 0; at < length; at += 4) {
    let value = word();
    for (let byte = at; byte < at + 4 && byte < length; byte++, value >>>= 8) bytes[byte] = value & 0xff;
  }
}

/** @param {any} view @param {number} [offset] in elements @param {number} [size] in elements */
function fillView(view, offset = 0, size) {
  if (!ArrayBuffer.isView(view)) return fill(view, offset, size ?? view.byteLength - offset);
  const width = /** @type {any} */ (view).BYTES_PER_ELEMENT ?? 1;
  fill(view.buffer, view.byteOffset + offset * width, size === undefined ? view.byteLength - offset * width : size * width);
}

function uuid() {
  const bytes = Buffer.alloc(16);
  fillView(bytes);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A callback gets from a later turn what the synchronous form would return. @param {(...args: any[]) => any} sync @param {number} least arguments before the callback */
const optionalCallback =
  (sync, least) =>
  (/** @type {any[]} */ ...args) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function' || args.length <= least) return sync(...args);
    const result = sync(...args.slice(0, -1));
    setImmediate(callback, null, result);
    return undefined;
  };

function install() {
  word = stream(`crypto ${session.random_seed}`);
  fractionWord = stream(`math ${session.random_seed}`);
  Math.random = likeness(() => fraction(fractionWord), Math.random);
  whenAsked('crypto', () => {
    const crypto = require('node:crypto');
    changeCrypto(crypto);
    countCryptography(crypto);
  });
}

/**
 * Each function calls Node's own first, which refuses what is to be refused, and then puts the seed's bytes in the place of its.
 * @param {any} module
 */
function changeCrypto(module) {
  const { randomBytes, randomFillSync, randomFill, randomInt, randomUUID } = module;
  const bytes = (/** @type {any} */ size) => {
    const buffer = randomBytes(size);
    fillView(buffer);
    return buffer;
  };
  const filled = (/** @type {any[]} */ ...args) => {
    const view = randomFillSync(...args);
    fillView(view, args[1], args[2]);
    return view;
  };
  const integer = (/** @type {any[]} */ ...args) => {
    randomInt(...args);
    const [low, high] = args.length === 1 ? [0, args[0]] : args;
    return low + Math.floor(fraction(word) * (high - low));
  };
  const identifier = (/** @type {any} */ options) => {
    randomUUID(options);
    return uuid();
  };
  module.randomBytes = likeness(optionalCallback(bytes, 1), randomBytes);
  module.randomFillSync = likeness(filled, randomFillSync);
  const fillLater = optionalCallback(filled, 1);
  module.randomFill = likeness(
    (/** @type {any[]} */ ...args) => (typeof args.at(-1) === 'function' ? fillLater(...args) : randomFill(...args)),
    randomFill,
  );
  const integerLater = (/** @type {any[]} */ ...args) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return integer(...args);
    process.nextTick(callback, undefined, integer(...args.slice(0, -1)));
    return undefined;
  };
  module.randomInt = likeness(integerLater, randomInt);
  module.randomUUID = likeness(identifier, randomUUID);
  for (const alias of ['pseudoRandomBytes', 'rng', 'prng']) {
    if (alias in module) Object.defineProperty(module, alias, { value: module.randomBytes, configurable: true, writable: true });
  }

  const prototype = Object.getPrototypeOf(module.webcrypto);
  const { getRandomValues, randomUUID: webUuid } = prototype;
  prototype.getRandomValues = likeness(
    /** @this {any} @param {any} view */ function (view) {
      getRandomValues.call(this, view);
      fillView(view);
      return view;
    },
    getRandomValues,
  );
  prototype.randomUUID = likeness(
    /** @this {any} @param {any} options */ function (options) {
      webUuid.call(this, options);
      return uuid();
    },
    webUuid,
  );
}

const { random } = Math;

module.exports = {
  install,
  /** 32 bits from the seed. */
  word: () => word(),
  /** 32 bits from nowhere. */
  anyWord: () => Math.floor(random() * 2 ** 32),
};
