'use strict';
/** What the program says on stdout and stderr goes to the conductor, who puts it where it belongs. */
const { ask, observing } = require('./channel.cjs');
const real = require('./real-fs.cjs');

/** So many bytes go into one message, give or take those of one character. */
const PIECE = 64 * 1024;

/** @param {1 | 2} descriptor @param {Buffer} data @returns {number} */
function write(descriptor, data) {
  if (observing) return real.writeSync(descriptor, data);
  const stream = descriptor === 1 ? 'stdout' : 'stderr';
  for (let from = 0, to = 0; from < data.length; from = to) {
    to = Math.min(from + PIECE, data.length);
    while (to < data.length && isInsideCharacter(data.readUInt8(to))) to++;
    ask({ type: 'output', stream, text: data.toString('utf8', from, to) });
  }
  return data.length;
}

/** In UTF-8. @param {number} byte */
const isInsideCharacter = (byte) => (byte & 0xc0) === 0x80;

/** The streams are made when they are first asked for, which costs a program nothing that never does. @param {'stdout' | 'stderr'} name */
function tell(name) {
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(process, name));
  const descriptor = name === 'stdout' ? 1 : 2;
  /** @type {any} */
  let stream;
  const told = () => {
    if (stream !== undefined) return stream;
    stream = get.call(process);
    /** @param {any} chunk @param {any} encoding @param {() => void} callback */
    stream._write = (chunk, encoding, callback) => {
      write(descriptor, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
      callback();
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
