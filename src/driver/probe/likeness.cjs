'use strict';
/**
 * Gives a function the name, length and symbols of the one that it stands for.
 * @template {Function} T
 * @param {T} virtual
 * @param {Function} original
 * @returns {T}
 */
function likeness(virtual, original) {
  const { prototype, ...properties } = Object.getOwnPropertyDescriptors(original);
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(virtual))) {
    if (name !== 'name' && name !== 'length' && name !== 'prototype') /** @type {any} */ (properties)[name] = property;
  }
  return Object.defineProperties(virtual, properties);
}

module.exports = { likeness };
