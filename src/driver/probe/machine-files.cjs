'use strict';
/**
 * Files outside the state directory that tell which machine this is and which processes run on it: they tell of the
 * session's host instead.
 */
const { ask, observing, realPid, session } = require('./channel.cjs');
const { systemError } = require('./operation.cjs');
const { text } = require('./paths.cjs');
const real = require('./real-fs.cjs');

/** @typedef {(...args: any[]) => any} Call */

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** @type {Record<string, () => string>} */
const contents = {
  [BOOT_ID]: () => `${session.boot_id}\n`,
  '/proc/sys/kernel/hostname': () => `${session.hostname}\n`,
  '/etc/hostname': () => `${session.hostname}\n`,
  '/etc/machine-id': () => `${Buffer.from(session.hostname).toString('hex').padEnd(32, '0').slice(0, 32)}\n`,
  '/proc/uptime': () => `${(session.now_ms / 1000).toFixed(2)} ${(session.now_ms / 1000).toFixed(2)}\n`,
};

/** What `/proc/<pid>/stat` shows of a process: its name, state, parent and, in hundredths of a second, when it was started. @param {number} pid @param {number} started_ms */
const stat = (pid, started_ms) =>
  `${pid} (node) S ${pid === session.pid ? session.ppid : 1} ${pid} ${pid} 0 -1 4194304 ${'0 '.repeat(10)}20 0 11 0 ${Math.floor(started_ms / 10)} ${'0 '.repeat(29)}0\n`;

const ofProcess = /^\/proc\/(self|thread-self|\d+)(\/.*)?$/;
let startedMs = 0;

/** A descriptor on text that is in no file: of a file without a name. @param {string} content */
function openText(content) {
  const path = `${require('node:os').tmpdir()}/crash-campaign-probe-${realPid}`;
  const descriptor = real.openSync(path, 'wx+', 0o600);
  real.unlinkSync(path);
  real.writeSync(descriptor, content, 0);
  return descriptor;
}

/**
 * Carries out a call on a path outside the state directory.
 * @param {string} kind
 * @param {any[]} args the path first
 * @param {Call} call
 */
function machineFile(kind, args, call) {
  const path = text(args[0]);
  if (observing || path === null || !(path.startsWith('/proc/') || path.startsWith('/etc/'))) return call(...args);
  if (path === BOOT_ID && session.boot_id === null && kind !== 'exists') throw systemError('EACCES', kind, args[0]);
  const content = contents[path];
  if (content !== undefined) return kind === 'open' ? openText(content()) : call(...args);
  const [, who, rest = ''] = ofProcess.exec(path) ?? [];
  if (who === undefined) return call(...args);
  const pid = /^\d/.test(who) ? Number(who) : session.pid;
  if (rest === '/ns/pid' && kind === 'readlink') return session.pid_namespace;
  const answer = pid === session.pid ? { started_ms: startedMs } : ask({ type: 'signal', pid, signal: 0 });
  if ('fail' in answer && answer.fail === 'ESRCH') {
    if (kind === 'exists') return false;
    throw systemError('ENOENT', kind === 'readdir' ? 'scandir' : kind, args[0]);
  }
  if (rest === '/stat' && kind === 'open') return openText(stat(pid, answer.started_ms ?? 0));
  return call(`/proc/self${rest}`, ...args.slice(1));
}

function install() {
  startedMs = session.now_ms;
}

module.exports = { install, machineFile };
