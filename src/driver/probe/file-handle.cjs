'use strict';
/**
 * The file handles of `fs/promises`. Node's own work in its thread pool, whose order nobody controls; these do the same by
 * the synchronous operations.
 */
const { EventEmitter } = require('node:events');
const { promiseForm } = require('./delivery.cjs');
/** @type {Record<string, any>} */
const operations = require('./file-operations.cjs');
const { setImmediate } = require('./timers.cjs');
const { readFileSync, writeFileSync } = require('./whole-files.cjs');

/** Node's own types don't know the streams' constructors. @type {any} */
const streams = require('node:fs');

/** @param {string} message @param {string} code */
const stateError = (message, code) => Object.assign(new Error(message), { code });

/** Runs a descriptor's operation for a handle, as `fs/promises` does. @param {string} syscall @param {(descriptor: number, ...args: any[]) => any} call */
function method(syscall, call) {
  const form = promiseForm((descriptor, ...args) => {
    if (descriptor === -1) throw Object.assign(stateError('file closed', 'EBADF'), { syscall });
    return call(descriptor, ...args);
  });
  /** @this {FileHandle} @param {any[]} args */
  const onHandle = function (...args) {
    return form(this.fd, ...args);
  };
  return onHandle;
}

/** The arguments of a read, in any of the ways to give them. @param {any} buffer @param {any} offset @param {any} length @param {any} position */
function readInto(buffer, offset, length, position) {
  let options;
  if (ArrayBuffer.isView(buffer))
    options = typeof offset === 'object' && offset !== null ? { buffer, ...offset } : { buffer, offset, length, position };
  else options = { ...buffer };
  options.buffer ??= Buffer.alloc(16384);
  options.offset ??= 0;
  options.length ??= options.buffer.byteLength - options.offset;
  options.position ??= null;
  return options;
}

class FileHandle extends EventEmitter {
  #descriptor;
  /** Streams over the handle hold it open. */
  #users = 1;
  #locked = false;
  /** @type {Promise<void> | null} */
  #closing = null;
  #closed = () => {};

  /** @param {number} descriptor */
  constructor(descriptor) {
    super();
    this.#descriptor = descriptor;
    this.close = () => this.#close();
  }

  get fd() {
    return this.#descriptor;
  }

  getAsyncId() {
    return this.#descriptor;
  }

  #close() {
    if (this.#descriptor === -1) return this.#closing ?? Promise.resolve();
    if (this.#closing !== null) return this.#closing;
    this.#closing = new Promise((resolve) => (this.#closed = resolve));
    this.#release();
    this.emit('close');
    return this.#closing;
  }

  #release() {
    if (--this.#users > 0) return;
    const descriptor = this.#descriptor;
    this.#descriptor = -1;
    operations.closeSync(descriptor);
    setImmediate(() => {
      this.#closing = null;
      this.#closed();
    });
  }

  /** What a stream over this handle calls in the place of `fs`. @param {any} options */
  #stream(options) {
    if (options?.fs !== undefined) throw stateError('The FileHandle with fs method is not implemented', 'ERR_METHOD_NOT_IMPLEMENTED');
    this.#users++;
    const close = (/** @type {number} */ _descriptor, /** @type {(error?: unknown) => void} */ callback) => {
      this.#release();
      this.close().then(() => callback(), callback);
    };
    const fs = streams;
    return {
      ...options,
      fd: this.#descriptor,
      fs: { open: fs.open, read: fs.read, write: fs.write, writev: fs.writev, fsync: fs.fsync, close },
    };
  }

  /** @param {any} [options] */
  createReadStream(options) {
    const stream = new streams.ReadStream(undefined, this.#stream(options));
    this.once('close', () => stream.close());
    return stream;
  }

  /** @param {any} [options] */
  createWriteStream(options) {
    const stream = new streams.WriteStream(undefined, this.#stream(options));
    this.once('close', () => stream.close());
    return stream;
  }

  /** @param {any} [options] */
  readLines(options) {
    return require('node:readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  /** @param {{ autoClose?: boolean }} [options] */
  readableWebStream({ autoClose = false } = {}) {
    if (this.#descriptor === -1) throw stateError('Invalid state: The FileHandle is closed', 'ERR_INVALID_STATE');
    if (this.#closing !== null) throw stateError('Invalid state: The FileHandle is closing', 'ERR_INVALID_STATE');
    if (this.#locked) throw stateError('Invalid state: The FileHandle is locked', 'ERR_INVALID_STATE');
    this.#locked = true;
    this.#users++;
    const done = async () => {
      this.#release();
      if (autoClose) await this.close();
    };
    /** @type {any} */
    const handle = this;
    return new ReadableStream({
      type: 'bytes',
      autoAllocateChunkSize: 16384,
      async pull(/** @type {any} */ controller) {
        const { view } = controller.byobRequest;
        const { bytesRead } = await handle.read(view, view.byteOffset, view.byteLength);
        if (bytesRead === 0) {
          controller.close();
          await done();
        }
        controller.byobRequest.respond(bytesRead);
      },
      cancel: done,
    });
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

const methods = {
  read: method('read', (descriptor, ...given) => {
    const { buffer, offset, length, position } = readInto(given[0], given[1], given[2], given[3]);
    return { __proto__: null, bytesRead: length === 0 ? 0 : operations.readSync(descriptor, buffer, offset, length, position), buffer };
  }),
  readv: method('readv', (descriptor, buffers, position) => ({
    __proto__: null,
    bytesRead: operations.readvSync(descriptor, buffers, position),
    buffers,
  })),
  write: method('write', (descriptor, buffer, ...rest) => ({
    __proto__: null,
    bytesWritten: buffer?.byteLength === 0 ? 0 : operations.writeSync(descriptor, buffer, ...rest),
    buffer,
  })),
  writev: method('writev', (descriptor, buffers, position) => ({
    __proto__: null,
    bytesWritten: operations.writevSync(descriptor, buffers, position),
    buffers,
  })),
  readFile: method('readFile', (descriptor, options) => readFileSync(descriptor, options)),
  stat: method('fstat', (descriptor, options) => operations.fstatSync(descriptor, options)),
  sync: method('fsync', (descriptor) => operations.fsyncSync(descriptor)),
  datasync: method('fdatasync', (descriptor) => operations.fdatasyncSync(descriptor)),
  truncate: method('ftruncate', (descriptor, length = 0) => operations.ftruncateSync(descriptor, length)),
  utimes: method('futimes', (descriptor, atime, mtime) => operations.futimesSync(descriptor, atime, mtime)),
  chmod: method('fchmod', (descriptor, mode) => operations.fchmodSync(descriptor, mode)),
  chown: method('fchown', (descriptor, uid, gid) => operations.fchownSync(descriptor, uid, gid)),
  writeFile: /** @this {FileHandle} @param {any} data @param {any} [options] */ function writeFile(data, options) {
    return writeInto(this, data, options);
  },
  appendFile: /** @this {FileHandle} @param {any} data @param {any} [options] */ function appendFile(data, options) {
    return writeInto(this, data, options);
  },
};
for (const [name, value] of Object.entries(methods)) {
  Object.defineProperty(value, 'name', { value: name });
  Object.defineProperty(FileHandle.prototype, name, { value, writable: true, configurable: true });
}

/** @param {AbortSignal} signal */
const abortError = (signal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' });

const writeWhole = method('writeFile', (descriptor, data, options) => writeFileSync(descriptor, data, options));

/** Data may also come in parts, from an iterable or a stream. @param {FileHandle} handle @param {any} data @param {any} options */
async function writeInto(handle, data, options) {
  const parts =
    typeof data === 'object' && data !== null && !ArrayBuffer.isView(data) && (Symbol.asyncIterator in data || Symbol.iterator in data);
  if (!parts) return writeWhole.call(handle, data, options);
  for await (const part of data) {
    if (options?.signal?.aborted) throw abortError(options.signal);
    await writeWhole.call(handle, part, options);
  }
}

/** @param {any} path @param {any} [flags] @param {any} [mode] */
const open = promiseForm((path, flags, mode) => new FileHandle(operations.openSync(path, flags ?? 'r', mode)));

module.exports = { FileHandle, open, readInto, writeInto };
