'use strict';
/**
 * The asynchronous forms: each is carried out as its synchronous twin at once, and so in the order of issue, and what came of
 * it is delivered in a later turn of the loop.
 */
const { setImmediate } = require('./timers.cjs');

/** @typedef {(...args: any[]) => any} Call */

/** What Node throws at the caller instead of passing it on: arguments that it refuses. @param {any} error */
const refusal = (error) => typeof error?.code === 'string' && error.code.startsWith('ERR_') && !error.code.startsWith('ERR_FS_');

/** An error that comes from outside the program's stack tells of no stack. @template T @param {() => T} act @returns {T} */
function withoutStack(act) {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return act();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * @param {Call} sync
 * @param {Call} original refuses what is no callback
 * @param {(result: any, args: any[]) => any[]} [results] what the callback gets after the error
 * @returns {Call}
 */
function callbackForm(sync, original, results = (result) => (result === undefined ? [] : [result])) {
  return (...args) => {
    const callback = args.pop();
    if (typeof callback !== 'function') return original(...args, callback);
    let failure = null;
    /** @type {any} */
    let result;
    try {
      result = withoutStack(() => sync(...args));
    } catch (error) {
      if (refusal(error)) throw error;
      failure = error;
    }
    setImmediate(() => (failure === null ? callback(null, ...results(result, args)) : callback(failure)));
  };
}

/** @param {Call} sync @returns {Call} */
function promiseForm(sync) {
  /** @this {any} @param {any[]} args */
  const promised = function (...args) {
    try {
      const result = withoutStack(() => sync.apply(this, args));
      return new Promise((resolve) => setImmediate(() => resolve(result)));
    } catch (error) {
      return new Promise((_resolve, reject) => setImmediate(() => reject(error)));
    }
  };
  return promised;
}

module.exports = { callbackForm, promiseForm };
