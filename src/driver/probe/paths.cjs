'use strict';
/** Which paths lie in the state directory, and how they are called there. */
const { resolve } = require('node:path');
const { fileURLToPath } = require('node:url');
const { session } = require('./channel.cjs');

/** The state directory, as the conductor and as the program call it. @type {string[]} */
const roots = [];

/** Parts that `path.resolve` would change. */
const irregular = /\/(\.{0,2})(\/|$)/;

function install() {
  const given = process.env.CRASH_CAMPAIGN_STATE;
  roots.push(session.state);
  if (given !== undefined && resolve(given) !== session.state) roots.push(resolve(given));
}

/** A path argument as text, or null where it is none. @param {unknown} path @returns {string | null} */
function text(path) {
  if (typeof path === 'string') return path;
  if (path instanceof Uint8Array) return Buffer.from(path.buffer, path.byteOffset, path.length).toString();
  if (!(path instanceof URL)) return null;
  try {
    return fileURLToPath(path);
  } catch {
    return null;
  }
}

/**
 * The path relative to the state directory, `.` for itself, or null where it lies outside. Symbolic links are not followed.
 * @param {unknown} path
 * @returns {string | null}
 */
function inState(path) {
  let absolute = text(path);
  if (absolute === null || absolute === '') return null;
  if (absolute[0] !== '/' || irregular.test(absolute)) absolute = resolve(absolute);
  for (const root of roots) {
    if (!absolute.startsWith(root)) continue;
    if (absolute.length === root.length) return '.';
    if (absolute[root.length] === '/') return absolute.slice(root.length + 1);
  }
  return null;
}

/** The name in the history of a path outside: the machine's folders don't belong there. @param {unknown} path */
const outside = (path) =>
  `{outside}/${
    text(path)
      ?.split('/')
      .findLast((part) => part !== '') ?? ''
  }`;

/** Data with the state directory's own path left out, so that it is the same in any folder. @param {Buffer} data */
function withoutState(data) {
  for (const root of roots) {
    if (!data.includes(root)) continue;
    const parts = [];
    let from = 0;
    for (let at = data.indexOf(root); at >= 0; at = data.indexOf(root, from)) {
      parts.push(data.subarray(from, at), Buffer.from('{state}'));
      from = at + Buffer.byteLength(root);
    }
    data = Buffer.concat([...parts, data.subarray(from)]);
  }
  return data;
}

module.exports = { install, text, inState, outside, withoutState };
