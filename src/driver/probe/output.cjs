'use strict';
/** What the program says on stdout and stderr: told to the conductor, and written where it belongs. */
const { ask, sleep, sleepCell } = require('./channel.cjs');
const real = require('./real-fs.cjs');

const PIECE = 64 * 1024;

/** @param {1 | 2} descriptor @param {Buffer} data @returns {number} */
function write(descriptor, data) {
  const text = data.toString();
  for (let at = 0; at === 0 || at < text.length; at += PIECE) {
    ask({ type: 'output', stream: descriptor === 1 ? 'stdout' : 'stderr', text: text.slice(at, at + PIECE) });
  }
  for (let at = 0; at < data.length; ) {
    try {
      at += real.writeSync(descriptor, data, at);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      sleep(sleepCell, 0, 0, 1);
    }
  }
  return data.length;
}

/** The streams are made when they are first asked for, which costs a program nothing that never does. @param {'stdout' | 'stderr'} name */
function tell(name) {
  const { get } = /** @type {PropertyDescriptor & { get: () => any }} */ (Object.getOwnPropertyDescriptor(process, name));
  const descriptor = name === 'stdout' ? 1 : 2;
  /** @type {any} */
  let stream;
  const told = () => {
    if (stream !== undefined) return stream;
    stream = get.call(process);
    /** @param {any} chunk @param {any} encoding @param {(error?: unknown) => void} callback */
    stream._write = (chunk, encoding, callback) => {
      try {
        write(descriptor, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
        callback();
      } catch (error) {
        callback(error);
      }
    };
    stream._writev = null;
    return stream;
  };
  Object.defineProperty(process, name, { get: told, configurable: true, enumerable: true });
}

function install() {
  tell('stdout');
  tell('stderr');
}

module.exports = { install, write };
