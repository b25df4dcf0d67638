'use strict';
/**
 * The blocking line to the conductor: one JSON object a line, a request and its answer. While a request is open the whole
 * process stands still, which is what lets the conductor be the only one who decides what happens next.
 *
 * @typedef {import('../sim/protocol.ts').Answer} Answer
 * @typedef {import('../sim/protocol.ts').Welcome} Welcome
 * @typedef {import('../sim/protocol.ts').Done} Done
 */
const { readSync, realpathSync, writeSync } = require('node:fs');

const descriptor = Number(process.env.CRASH_CAMPAIGN_CHANNEL);
/** Under the live driver the program runs freely and in real time: what it does is told before it does it, and nothing is answered. */
const observing = process.env.CRASH_CAMPAIGN_OBSERVE !== undefined;
/** Or it is told and then held until it is let go, for faults that are placed at operations; the clock is real all the same. */
const holding = process.env.CRASH_CAMPAIGN_OBSERVE === 'hold';
const realPid = process.pid;
const realKill = process.kill.bind(process);
/** Takes the code that `process.exit` would take; Node's own types don't know it. @type {(code: number) => never} */
const reallyExit = /** @type {any} */ (process).reallyExit.bind(process);
const wait = Atomics.wait.bind(Atomics);
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

const inbox = Buffer.alloc(64 * 1024);
let unread = '';
/** How the last operation went; it travels with the next request. @type {Done | undefined} */
let outcome;
/** @type {(signal: string) => void} */
let whenSignalled = () => {};
let whenUncontrolled = () => {};

/**
 * What the conductor has told this session. `now_ms` and `skew_ms` are those of the latest answer.
 * @type {Welcome}
 */
const session = {
  now_ms: 0,
  skew_ms: 0,
  pid: 0,
  ppid: 0,
  hostname: '',
  boot_id: '',
  pid_namespace: '',
  random_seed: '',
  state: '',
};

/** Nothing outlives the conductor. The first process of a PID namespace can't kill itself, so it exits. */
function die() {
  realKill(realPid, 'SIGKILL');
  return reallyExit(137);
}

/** The descriptor blocks unless the program has made it non-blocking: then this polls. @param {() => number} call */
function insist(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') return die();
      wait(sleepCell, 0, 0, 0.1);
    }
  }
}

/** @param {string} line */
function send(line) {
  const sent = insist(() => writeSync(descriptor, line));
  if (sent === line.length) return;
  const bytes = Buffer.from(line);
  for (let at = sent; at < bytes.length; ) at += insist(() => writeSync(descriptor, bytes, at));
}

/** @returns {any} */
function receive() {
  for (;;) {
    const end = unread.indexOf('\n');
    if (end >= 0) {
      const line = unread.slice(0, end);
      unread = unread.slice(end + 1);
      return JSON.parse(line);
    }
    const length = insist(() => readSync(descriptor, inbox, 0, inbox.length, null));
    if (length === 0) die();
    unread += inbox.toString('latin1', 0, length);
  }
}

/** Blocks until the conductor has welcomed this process. */
function greet() {
  if (observing) {
    session.state = realpathSync(process.env.CRASH_CAMPAIGN_STATE ?? '.');
    return;
  }
  send(`${JSON.stringify({ type: 'hello', pid: realPid })}\n`);
  Object.assign(session, receive());
}

/**
 * Asks, and blocks until the answer. Time moves here and nowhere else.
 * @param {import('../sim/protocol.ts').Request} request
 * @returns {Answer}
 */
function ask(request) {
  if (outcome !== undefined) {
    request.done = outcome;
    outcome = undefined;
  }
  send(`${JSON.stringify(request)}\n`);
  if (observing) {
    const isHeld = holding && (request.type === 'operation' || request.type === 'signal' || request.type === 'torn');
    return isHeld ? { ...session, ...receive() } : session;
  }
  /** @type {Answer} */
  const answer = receive();
  session.now_ms = answer.now_ms;
  session.skew_ms = answer.skew_ms;
  if (answer.signal !== undefined) whenSignalled(answer.signal);
  return answer;
}

/** @param {Done} done */
function report(done) {
  if (holding) {
    send(`${JSON.stringify({ type: 'done', done })}\n`);
    receive();
  } else if (observing) send('{"type":"done"}\n');
  else outcome = done;
}

/** @type {Set<string>} */
const reported = new Set();

/** Tells once that something runs here which the conductor can't control. @param {string} what */
function uncontrolled(what) {
  if (reported.has(what)) return;
  if (reported.size === 0) whenUncontrolled();
  reported.add(what);
  ask({ type: 'uncontrolled', what });
}

const isAnythingUncontrolled = () => reported.size > 0;

/** @param {(signal: string) => void} handler */
function onSignal(handler) {
  whenSignalled = handler;
}

/** @param {() => void} handler called before the first report */
function onUncontrolled(handler) {
  whenUncontrolled = handler;
}

module.exports = {
  descriptor,
  observing,
  session,
  greet,
  ask,
  report,
  uncontrolled,
  isAnythingUncontrolled,
  onSignal,
  onUncontrolled,
  realPid,
  realKill,
  reallyExit,
  sleep: wait,
  sleepCell,
};
