'use strict';
/** Files outside the state directory that tell which machine this is, and which processes run on it. */

/**
 * Carries out a call on a path outside.
 * @param {string} _kind @param {any[]} args @param {(...args: any[]) => any} call
 */
function machineFile(_kind, args, call) {
  return call(...args);
}

module.exports = { machineFile };
