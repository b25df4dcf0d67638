'use strict';
/** The end of the process, told after the last thing that the program does. */
const { ask, reallyExit } = require('./channel.cjs');

/** Node's own types don't know `reallyExit`. @type {any} */
const proc = process;
/** `process.exit` has been called: the end comes with `reallyExit`. */
let leaving = false;
let told = false;

/** @param {unknown} code */
function tell(code) {
  if (told) return;
  told = true;
  ask({ type: 'exit', code: Number(code ?? 0) });
}

/**
 * When the event loop is empty and after an uncaught exception, Node emits `exit` and is gone. Packages that want to be last
 * replace `process.emit`, so that whatever stands there is wrapped.
 */
function watchEmit() {
  let depth = 0;
  /** @type {WeakSet<Function>} */
  const wrapped = new WeakSet();
  /** @param {Function} emit */
  const wrap = (emit) => {
    if (wrapped.has(emit)) return emit;
    const outer = function (/** @type {any[]} */ ...args) {
      depth++;
      try {
        return emit.apply(process, args);
      } finally {
        depth--;
        if (args[0] === 'exit' && depth === 0 && !leaving) tell(process.exitCode ?? args[1]);
      }
    };
    wrapped.add(outer);
    return outer;
  };
  let current = wrap(process.emit);
  Object.defineProperty(process, 'emit', {
    get: () => current,
    set: (emit) => {
      current = wrap(emit);
    },
    configurable: true,
    enumerable: false,
  });
}

function install() {
  watchEmit();
  const { exit } = proc;
  proc.exit = function (/** @type {any[]} */ ...args) {
    leaving = true;
    try {
      return exit.apply(process, args);
    } finally {
      leaving = false; // it has thrown: the code was no code
    }
  };
  proc.reallyExit = (/** @type {number} */ code) => {
    tell(code);
    return reallyExit(code);
  };
}

module.exports = { install };
