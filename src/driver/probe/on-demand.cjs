'use strict';
/** Node's modules that take long to load are changed when the program asks for them, and not before. */
const nodeModule = require('node:module');
const { likeness } = require('./likeness.cjs');

/** @type {Map<string, () => void>} */
const waiting = new Map();
/** @type {{ deregister(): void } | undefined} */
let hooks;

/** @param {string} specifier */
function asked(specifier) {
  const name = specifier.startsWith('node:') ? specifier.slice('node:'.length) : specifier;
  const change = waiting.get(name);
  if (change === undefined) return;
  waiting.delete(name);
  if (waiting.size === 0) hooks?.deregister();
  change();
  nodeModule.syncBuiltinESMExports();
}

/** @param {string} name of a module @param {() => void} change @param {string} [globalName] of the global that leads to it */
function whenAsked(name, change, globalName = name) {
  waiting.set(name, change);
  // Another preload may have been here before.
  if (/** @type {any} */ (process).moduleLoadList.includes(`NativeModule ${name}`)) return asked(name);
  hooks ??= /** @type {any} */ (nodeModule).registerHooks({
    resolve(/** @type {string} */ specifier, /** @type {unknown} */ context, /** @type {Function} */ next) {
      asked(specifier);
      return next(specifier, context);
    },
  });
  const global = Object.getOwnPropertyDescriptor(globalThis, globalName);
  const get = global?.get;
  if (get === undefined) return;
  const askedGlobal = () => {
    asked(name);
    return get.call(globalThis);
  };
  Object.defineProperty(globalThis, globalName, { ...global, get: likeness(askedGlobal, get) });
}

function install() {
  const { getBuiltinModule } = process;
  /** @type {any} */
  const virtual = (/** @type {string} */ name) => {
    if (typeof name === 'string') asked(name);
    return getBuiltinModule(name);
  };
  process.getBuiltinModule = likeness(virtual, getBuiltinModule);
}

module.exports = { install, whenAsked };
