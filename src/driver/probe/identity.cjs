'use strict';
/** Who this process is, on which host, and how it speaks of other processes. */
const os = require('node:os');
const { ask, observing, onSignal, realKill, realPid, report, session } = require('./channel.cjs');
const { likeness } = require('./likeness.cjs');
const { systemError } = require('./operation.cjs');
const { setImmediate } = require('./timers.cjs');

/** @type {Record<string, number>} */
const numbers = os.constants.signals;

/** A host shows an uptime that grows over all sessions of a trial. */
const UPTIME_PERIOD_MS = 1e9;

/** A signal for this process: its handlers get it from the event loop; without one it does what it does by default. @param {string} name */
function receive(name) {
  if (process.listenerCount(name) === 0) realKill(realPid, name);
  else setImmediate(() => process.emit(/** @type {any} */ (name), /** @type {any} */ (name), /** @type {any} */ (numbers[name])));
}

/** @param {any} pid @param {any} [signal] @returns {true} */
function kill(pid, signal = 'SIGTERM') {
  // biome-ignore lint/suspicious/noDoubleEquals: a number, or what is equal to one
  const known = pid == (pid | 0) && (typeof signal === 'number' || signal in numbers);
  if (!known) return realKill(pid == (pid | 0) ? realPid : pid, signal); // refuses it
  const target = Number(pid);
  const answer = ask({ type: 'signal', pid: target, signal });
  if (answer.fail !== undefined) throw Object.assign(systemError(answer.fail, 'kill'), { message: `kill ${answer.fail}` });
  const self = target === session.pid || target === 0 || target === -session.pid;
  const name = typeof signal === 'string' ? signal : Object.keys(numbers).find((key) => numbers[key] === signal);
  if (self && name !== undefined) receive(name);
  return true;
}

/** Carried out as it is, but told: a liveness check is an operation. @param {any} pid @param {any} signal @returns {true} */
function tellKill(pid, signal) {
  ask({ type: 'signal', pid, signal });
  try {
    return realKill(pid, signal);
  } finally {
    report({});
  }
}

function install() {
  if (observing) {
    process.kill = likeness(tellKill, process.kill);
    return;
  }
  onSignal(receive);
  process.kill = likeness(kill, process.kill);
  Object.defineProperty(process, 'pid', { value: session.pid, configurable: true, enumerable: true, writable: true });
  Object.defineProperty(process, 'ppid', { get: () => session.ppid, configurable: true, enumerable: true });
  const total = os.totalmem();
  os.hostname = likeness(() => session.hostname, os.hostname);
  os.uptime = likeness(() => Math.floor(session.now_ms % UPTIME_PERIOD_MS) / 1000, os.uptime);
  os.freemem = likeness(() => total / 2, os.freemem);
  os.loadavg = likeness(() => [0, 0, 0], os.loadavg);
}

module.exports = { install };
