'use strict';
/**
 * Timers on virtual time, in Node's order: one list for each duration, the list that expires first goes first, and within a
 * list the timer that was set first. They run in the check phase, where one turn of the loop finds all that are due.
 */
const { AsyncResource } = require('node:async_hooks');
const timersModule = require('node:timers');
const timersPromises = require('node:timers/promises');
const { ask, isAnythingUncontrolled, onUncontrolled, session, uncontrolled } = require('./channel.cjs');
const { likeness } = require('./likeness.cjs');
const { pendingWork } = require('./pending-work.cjs');

const LONGEST_MS = 2 ** 31 - 1;
/** While something that is not controlled is alive, it is given so much real time to speak before virtual time moves on. */
const GRACE_REAL_MS = 5;
/** And virtual time then moves by no more than this, so that it is heard again. */
const GRACE_MS = 50;

const real = {
  setTimeout,
  setInterval,
  setImmediate,
  clearImmediate,
  clearTimeout,
  promises: { ...timersPromises },
  abortTimeout: AbortSignal.timeout,
  atomicsWait: Atomics.wait,
};
/** Runs what `process.nextTick` and promises have queued, as Node does between two timers. @type {() => void} */
const runTicks = /** @type {any} */ (process)._tickCallback;

/** @typedef {{ duration: number, order: number, expiry: number, timers: Set<Timeout> }} List */
/** @type {Map<number, List>} */
const lists = new Map();
/** @type {Map<number, Timeout>} */
const byId = new Map();
let orders = 0;
let ids = 0;
let referenced = 0;
/** Stays while one of its timers runs, so that an interval keeps its place among those that are due together. @type {List | null} */
let running = null;
/** Real time given to what is not controlled. @type {NodeJS.Timeout | null} */
let listening = null;
/** The turn of the loop in which timers are looked at next. @type {NodeJS.Immediate | null} */
let turn = null;

const present = () => Math.floor(session.now_ms);

class Timeout {
  #resource = new AsyncResource('Timeout', { requireManualDestroy: true });
  #referenced = true;
  /** While it is set. @type {List | null} */
  #list = null;
  /** Only those have one that were made into a number. */
  #id = 0;

  /** @param {Function} callback @param {number} duration @param {unknown[]} args @param {boolean} repeats */
  constructor(callback, duration, args, repeats) {
    this._idleTimeout = validDuration(duration);
    this._idleStart = 0;
    this._onTimeout = /** @type {Function | null} */ (callback);
    this._timerArgs = args;
    this._repeat = repeats ? this._idleTimeout : null;
    this._destroyed = false;
    this.#start();
  }

  #start() {
    const duration = Math.trunc(this._idleTimeout);
    this._idleStart = present();
    let list = lists.get(duration);
    if (list === undefined) {
      list = { duration, order: ++orders, expiry: this._idleStart + duration, timers: new Set() };
      lists.set(duration, list);
    }
    list.timers.add(this);
    this.#list = list;
    if (this.#referenced) referenced++;
    nextTurn();
  }

  /** @internal */
  stop() {
    const list = this.#list;
    if (list === null) return;
    this.#list = null;
    list.timers.delete(this);
    if (list.timers.size === 0 && list !== running) lists.delete(list.duration);
    if (this.#referenced) referenced--;
    nextTurn();
  }

  /** @internal */
  run() {
    this.stop();
    const callback = this._onTimeout;
    if (typeof callback !== 'function') return;
    try {
      this.#resource.runInAsyncScope(/** @type {any} */ (callback), this, ...this._timerArgs);
    } finally {
      if (this.#list === null && !this._destroyed) {
        if (this._repeat !== null && this._idleTimeout !== -1) {
          this._idleTimeout = this._repeat;
          this.#start();
        } else {
          this._destroyed = true;
          byId.delete(this.#id);
        }
      }
    }
  }

  /** @internal */
  destroy() {
    this.stop();
    byId.delete(this.#id);
    this._onTimeout = null;
    this._destroyed = true;
  }

  ref() {
    if (!this.#referenced && this.#list !== null) referenced++;
    this.#referenced = true;
    nextTurn();
    return this;
  }

  unref() {
    if (this.#referenced && this.#list !== null) referenced--;
    this.#referenced = false;
    nextTurn();
    return this;
  }

  hasRef() {
    return this.#referenced;
  }

  refresh() {
    if (this._onTimeout === null) return this;
    this.stop();
    this._destroyed = false;
    this.#start();
    return this;
  }

  close() {
    this.destroy();
    return this;
  }

  [Symbol.toPrimitive]() {
    if (this.#id === 0) this.#id = ++ids;
    if (!this._destroyed) byId.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose]() {
    this.destroy();
  }
}
for (const name of ['stop', 'run', 'destroy']) Object.defineProperty(Timeout.prototype, name, { enumerable: false });

/** @param {number} given */
function validDuration(given) {
  const duration = given * 1;
  if (duration >= 1 && duration <= LONGEST_MS) return duration;
  // Node warns of what it replaces by 1.
  if (duration > LONGEST_MS || duration < 0 || (Number.isNaN(duration) && given !== undefined)) {
    real.clearTimeout(real.setTimeout(() => {}, given));
  }
  return 1;
}

/** Makes sure that the loop comes by here, and that it stays alive for the timers that ask for it. */
function nextTurn() {
  if (lists.size === 0) {
    if (turn !== null) real.clearImmediate(turn);
    turn = null;
    listening?.unref();
    return;
  }
  turn ??= listening === null ? real.setImmediate(look) : null;
  const next = turn ?? listening;
  if (referenced > 0) next?.ref();
  else next?.unref();
}

function look() {
  turn = null;
  try {
    runDue();
    idle();
  } finally {
    nextTurn();
  }
}

/** The list whose first timer is due before all others, with its expiry put right. */
function firstList() {
  for (;;) {
    /** @type {List | undefined} */
    let first;
    for (const list of lists.values()) {
      if (first === undefined || list.expiry < first.expiry || (list.expiry === first.expiry && list.order < first.order)) first = list;
    }
    if (first === undefined) return undefined;
    const [timer] = first.timers;
    const expiry = /** @type {Timeout} */ (timer)._idleStart + first.duration;
    if (expiry <= first.expiry) return first;
    first.expiry = expiry;
  }
}

function runDue() {
  for (;;) {
    const list = firstList();
    if (list === undefined || list.expiry > present()) return;
    const [timer] = list.timers;
    running = list;
    try {
      /** @type {Timeout} */ (timer).run();
    } finally {
      running = null;
      if (list.timers.size === 0) lists.delete(list.duration);
    }
    runTicks();
  }
}

/** Where nothing but timers is pending, the process stands still until the first of them. */
function idle() {
  const list = firstList();
  if (list === undefined) return;
  const work = pendingWork();
  if (work.soon || (referenced === 0 && work.uncontrolled.length === 0)) return;
  for (const what of work.uncontrolled) uncontrolled(what);
  if (work.uncontrolled.length === 0) ask({ type: 'idle', until_ms: list.expiry });
  else listen();
}

/** Gives what is not controlled some real time, and then lets virtual time move a little. */
function listen() {
  listening = real.setTimeout(() => {
    listening = null;
    const expiry = firstList()?.expiry ?? Infinity;
    ask({ type: 'idle', until_ms: Math.min(expiry, Math.floor(session.now_ms) + GRACE_MS) });
    look();
  }, GRACE_REAL_MS);
}

/** Without timers, a process that waits for something that is not controlled would hold up all others. */
function listenAlways() {
  real
    .setInterval(() => {
      if (lists.size > 0) return;
      const work = pendingWork();
      if (!work.soon && work.uncontrolled.length > 0) ask({ type: 'idle', until_ms: Math.floor(session.now_ms) + GRACE_MS });
    }, GRACE_REAL_MS)
    .unref();
}

/** @param {any} callback @param {any} duration @param {unknown[]} args */
function virtualSetTimeout(callback, duration, ...args) {
  if (typeof callback !== 'function') return real.setTimeout(callback, duration);
  return new Timeout(callback, duration, args, false);
}

/** @param {any} callback @param {any} duration @param {unknown[]} args */
function virtualSetInterval(callback, duration, ...args) {
  if (typeof callback !== 'function') return real.setInterval(callback, duration);
  return new Timeout(callback, duration, args, true);
}

/** @param {any} timer */
function virtualClear(timer) {
  const known = typeof timer === 'number' || typeof timer === 'string' ? byId.get(Number(timer)) : timer;
  if (known instanceof Timeout) known.destroy();
  else if (known !== undefined && known !== null) real.clearTimeout(known);
}

/** @param {unknown} options Those that Node refuses, it refuses itself. */
function refused(options) {
  if (options === undefined) return false;
  if (typeof options !== 'object' || options === null) return true;
  const { signal, ref } = /** @type {any} */ (options);
  return (signal !== undefined && !(signal instanceof AbortSignal && !signal.aborted)) || (ref !== undefined && typeof ref !== 'boolean');
}

/** @param {any} duration @param {any} [value] @param {any} [options] @returns {Promise<any>} */
function promisedTimeout(duration, value, options) {
  if (refused(options) || (duration !== undefined && typeof duration !== 'number'))
    return real.promises.setTimeout(duration, value, options);
  return new Promise((resolve) => {
    const timer = new Timeout(
      () => {
        options?.signal?.removeEventListener('abort', aborted);
        resolve(value);
      },
      duration,
      [],
      false,
    );
    const aborted = () => {
      timer.destroy();
      resolve(real.promises.setTimeout(1, value, { signal: options.signal })); // rejects as Node does
    };
    if (options?.ref === false) timer.unref();
    options?.signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** @param {any} duration @param {any} [value] @param {any} [options] */
async function* promisedInterval(duration, value, options) {
  if (refused(options) || (duration !== undefined && typeof duration !== 'number'))
    yield* real.promises.setInterval(duration, value, options);
  let due = 0;
  let wake = () => {};
  const timer = new Timeout(
    () => {
      due++;
      wake();
    },
    duration,
    [],
    true,
  );
  if (options?.ref === false) timer.unref();
  const aborted = () => {
    timer.destroy();
    wake();
  };
  options?.signal?.addEventListener('abort', aborted, { once: true });
  try {
    while (!options?.signal?.aborted) {
      if (due === 0) await new Promise((resolve) => (wake = () => resolve(undefined)));
      for (; due > 0; due--) yield value;
    }
    await real.promises.setTimeout(1, value, { signal: options.signal }); // rejects as Node does
  } finally {
    timer.destroy();
    options?.signal?.removeEventListener('abort', aborted);
  }
}

/** @param {number} duration @returns {AbortSignal} */
function timeoutSignal(duration) {
  if (!Number.isSafeInteger(duration) || duration < 0) return real.abortTimeout.call(AbortSignal, duration);
  const controller = new AbortController();
  const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  new Timeout(() => controller.abort(reason()), duration, [], false).unref();
  return controller.signal;
}

/** @type {any} */
function atomicsWait(/** @type {any} */ array, /** @type {any} */ index, /** @type {any} */ value, /** @type {any} */ duration) {
  const limit = duration === undefined ? Number.NaN : Number(duration);
  const first = Number.isNaN(limit) || limit === Infinity ? limit : 0;
  const outcome = real.atomicsWait.call(Atomics, array, index, value, first);
  if (outcome !== 'timed-out' || !(limit > 0)) return outcome;
  const until = session.now_ms + limit;
  while (session.now_ms < until) {
    // Only a thread that is not controlled could wake this one.
    const alone = !isAnythingUncontrolled();
    const woken = alone ? 'timed-out' : real.atomicsWait.call(Atomics, array, index, value, GRACE_REAL_MS);
    if (woken !== 'timed-out') return woken;
    ask({ type: 'idle', until_ms: alone ? until : Math.min(until, session.now_ms + GRACE_MS) });
  }
  return 'timed-out';
}

function install() {
  onUncontrolled(listenAlways);
  const timeout = likeness(virtualSetTimeout, real.setTimeout);
  const interval = likeness(virtualSetInterval, real.setInterval);
  const clear = likeness((/** @type {any} */ timer) => virtualClear(timer), clearTimeout);
  const clearRepeated = likeness((/** @type {any} */ timer) => virtualClear(timer), clearInterval);
  const functions = { setTimeout: timeout, setInterval: interval, clearTimeout: clear, clearInterval: clearRepeated };
  Object.assign(timersModule, functions);
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(globalThis, name, { ...Object.getOwnPropertyDescriptor(globalThis, name), value });
  }
  const wait = (/** @type {any} */ duration, /** @type {any} */ options) => promisedTimeout(duration, undefined, options);
  Object.assign(timersPromises, {
    setTimeout: likeness(promisedTimeout, timersPromises.setTimeout),
    setInterval: likeness(promisedInterval, timersPromises.setInterval),
  });
  Object.getPrototypeOf(timersPromises.scheduler).wait = wait;
  AbortSignal.timeout = likeness(timeoutSignal, AbortSignal.timeout);
  Atomics.wait = likeness(atomicsWait, Atomics.wait);
}

module.exports = { install, setImmediate: real.setImmediate, setTimeout: real.setTimeout };
