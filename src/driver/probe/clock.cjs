'use strict';
/** Virtual time, as everything that shows a clock shows it. It stands still between two answers of the conductor. */
const { ask, session } = require('./channel.cjs');
const { whenAsked } = require('./on-demand.cjs');

const RealDate = Date;
const hrtimeOrigin_ms = 1_000_000;
let started_ms = 0;

/** A program that looks at the clock so often between two answers is waiting for it to move. */
const PATIENCE = 1000;
let looks = 0;
let lastLook_ms = 0;

/** The monotonic clock as the program reads it: it stands still, but not for ever. */
function look() {
  if (session.now_ms !== lastLook_ms) {
    lastLook_ms = session.now_ms;
    looks = 0;
  } else if (++looks >= PATIENCE) {
    looks = 0;
    ask({ type: 'idle', until_ms: Math.floor(session.now_ms) + 1 });
  }
  return session.now_ms;
}

/** What the wall clock shows, in whole milliseconds since 1970: identifiers made from it throw on fractions. */
const wall = () => Math.floor(session.now_ms + session.skew_ms);

/** The wall clock as the program reads it. */
const readWall = () => Math.floor(look() + session.skew_ms);

/** Milliseconds since the session began, by the monotonic clock. */
const sinceStart = () => look() - started_ms;

/** In nanoseconds, at the conductor's resolution of a microsecond. */
const monotonic = () => BigInt(Math.round((hrtimeOrigin_ms + sinceStart()) * 1000)) * 1000n;

function installDate() {
  RealDate.now = { now: () => readWall() }.now;
  /** @type {DateConstructor} */
  const VirtualDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [readWall()] : args, newTarget === VirtualDate ? target : newTarget),
    apply: () => new RealDate(readWall()).toString(),
  });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: VirtualDate, writable: true, configurable: true });
  globalThis.Date = VirtualDate;

  // A formatter that is given no date formats the present.
  const formatter = Intl.DateTimeFormat.prototype;
  const format = /** @type {any} */ (Object.getOwnPropertyDescriptor(formatter, 'format'));
  /** @type {WeakMap<object, Function>} */
  const bound = new WeakMap();
  Object.defineProperty(formatter, 'format', {
    ...format,
    get() {
      let virtual = bound.get(this);
      if (virtual === undefined) {
        const real = format.get.call(this);
        virtual = (/** @type {any} */ date) => real(date === undefined ? readWall() : date);
        bound.set(this, virtual);
      }
      return virtual;
    },
  });
  const { formatToParts } = formatter;
  formatter.formatToParts = function (date) {
    return formatToParts.call(this, date === undefined ? readWall() : date);
  };
}

function installPerformance() {
  const prototype = Object.getPrototypeOf(performance);
  const { mark, measure, toJSON } = prototype;
  const timeOrigin = started_ms + session.skew_ms;
  prototype.now = { now: sinceStart }.now;
  Object.defineProperty(prototype, 'timeOrigin', { get: () => timeOrigin, configurable: true, enumerable: true });
  Object.defineProperty(performance, 'timeOrigin', { get: () => timeOrigin, configurable: true, enumerable: true });
  /** @this {any} @param {string} name @param {any} [options] */
  prototype.mark = function (name, options) {
    return mark.call(this, name, { ...options, startTime: options?.startTime ?? sinceStart() });
  };
  /** A measure without an end ends now. @this {any} @param {string} name @param {any} [from] @param {any} [to] */
  prototype.measure = function (name, from, to) {
    if (typeof from === 'object' && from !== null) {
      const ends = from.end !== undefined || from.duration !== undefined;
      return measure.call(this, name, ends ? from : { ...from, end: sinceStart() });
    }
    return measure.call(this, name, { start: from ?? 0, end: to ?? sinceStart() });
  };
  prototype.toJSON = function () {
    return { ...toJSON.call(this), timeOrigin };
  };
}

function installProcessClocks() {
  const realHrtime = process.hrtime;
  const hrtime = (/** @type {[number, number] | undefined} */ earlier) => {
    if (earlier !== undefined) realHrtime(earlier); // throws where the argument is not a pair of numbers
    const now = monotonic();
    const since = earlier === undefined ? now : now - BigInt(earlier[0]) * 1_000_000_000n - BigInt(earlier[1]);
    const seconds = since / 1_000_000_000n;
    return /** @type {[number, number]} */ ([Number(seconds), Number(since - seconds * 1_000_000_000n)]);
  };
  process.hrtime = Object.assign(hrtime, { bigint: monotonic });
  process.uptime = { uptime: () => sinceStart() / 1000 }.uptime;
}

function install() {
  started_ms = session.now_ms;
  installDate();
  whenAsked('perf_hooks', installPerformance, 'performance');
  installProcessClocks();
}

module.exports = { install, wall };
