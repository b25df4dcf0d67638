'use strict';
/**
 * Gives a function the name, length and symbols of the one that it stands for.
 * @template {Function} T
 * @param {T} virtual
 * @param {Function} original
 * @returns {T}
 */
function likeness(virtual, original) {
  Object.defineProperty(virtual, 'name', { value: original.name, configurable: true });
  Object.defineProperty(virtual, 'length', { value: original.length, configurable: true });
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(virtual, symbol, /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(original, symbol)));
  }
  return virtual;
}

module.exports = { likeness };
