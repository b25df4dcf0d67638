'use strict';
/** Which open descriptors lead into the state directory. A descriptor follows the renames that this process makes. */

/** Descriptor → path relative to the state directory. @type {Map<number, string>} */
const descriptors = new Map();

/** @param {string} from @param {string} to */
function renamed(from, to) {
  for (const [descriptor, path] of descriptors) {
    if (path === from) descriptors.set(descriptor, to);
    else if (path.startsWith(`${from}/`)) descriptors.set(descriptor, to + path.slice(from.length));
  }
}

module.exports = { descriptors, renamed };
