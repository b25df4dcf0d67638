'use strict';
/** Reading and writing whole files, taken apart into open, read or write, and close, so that a kill can land between them. */
/** @type {Record<string, any>} */
const operations = require('./file-operations.cjs');
const { operate } = require('./operation.cjs');
const { descriptors } = require('./descriptors.cjs');
const real = require('./real-fs.cjs');

/** @param {any} options */
const named = (options) => (typeof options === 'string' ? { encoding: options } : (options ?? {}));

/** @param {any} file a path or a descriptor @param {any} [options] */
function readFileSync(file, options) {
  if (typeof file === 'number') return readWhole(file, options);
  const descriptor = operations.openSync(file, named(options).flag ?? 'r', 0o666);
  try {
    return readWhole(descriptor, options);
  } finally {
    operations.closeSync(descriptor);
  }
}

/** @param {number} descriptor @param {any} options */
function readWhole(descriptor, options) {
  const path = descriptors.get(descriptor);
  const read = () => real.readFileSync(descriptor, options);
  if (path === undefined) return read();
  return operate({ kind: 'read', path, changes: false }, read, (data) => data.length);
}

/** @param {any} file @param {any} data @param {any} [options] */
function writeFileSync(file, data, options) {
  writeWhole(file, data, { flag: 'w', ...named(options) });
}

/** @param {any} file @param {any} data @param {any} [options] */
function appendFileSync(file, data, options) {
  writeWhole(file, data, { ...named(options), flag: named(options).flag ?? 'a' });
}

/** @param {any} file @param {any} data @param {any} options */
function writeWhole(file, data, options) {
  /** @type {any} */
  const bytes = typeof data === 'string' ? encoded(data, options.encoding) : data;
  if (!ArrayBuffer.isView(bytes)) return real.writeFileSync(file, data, options); // refuses it
  if (typeof file === 'number') return writeAll(file, bytes, options);
  const descriptor = operations.openSync(file, options.flag, options.mode ?? 0o666);
  try {
    writeAll(descriptor, bytes, options);
  } finally {
    operations.closeSync(descriptor);
  }
}

/** @param {string} data @param {any} encoding */
const encoded = (data, encoding) => (encoding == null || Buffer.isEncoding(encoding) ? Buffer.from(data, encoding ?? 'utf8') : data);

/** @param {number} descriptor @param {any} bytes @param {any} options */
function writeAll(descriptor, bytes, options) {
  for (let at = 0; at < bytes.byteLength; ) at += operations.writeSync(descriptor, bytes, at, bytes.byteLength - at, null);
  if (options.flush) operations.fsyncSync(descriptor);
}

module.exports = { readFileSync, writeFileSync, appendFileSync };
