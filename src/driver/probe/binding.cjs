'use strict';
/**
 * Node's inner modules, as far as `process.binding` still gives them: some of what the probe must reach lies nowhere else.
 * Node deprecates it and says so on stderr, which would be taken for the program's doing.
 */
const proc = /** @type {any} */ (process);
const { binding: original } = proc;

/** @param {string} name @returns {any} */
function binding(name) {
  const { noDeprecation } = proc;
  proc.noDeprecation = true;
  try {
    return original.call(process, name);
  } finally {
    if (noDeprecation === undefined) delete proc.noDeprecation;
    else proc.noDeprecation = noDeprecation;
  }
}

module.exports = { binding, original };
