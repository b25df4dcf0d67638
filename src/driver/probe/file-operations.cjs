'use strict';
/**
 * The system calls on the state directory, in their synchronous form. Each is one operation of the history. The asynchronous
 * forms are made of these, and so are the calls that take several steps (whole-files.cjs, trees.cjs).
 */
const { constants } = require('node:fs');
const { uncontrolled } = require('./channel.cjs');
const { descriptors, renamed } = require('./descriptors.cjs');
const { touch, touchDescriptor, touchLink, touchParent, virtualStats } = require('./file-times.cjs');
const { operate, operateWrite } = require('./operation.cjs');
const { machineFile } = require('./machine-files.cjs');
const { write: writeOutput } = require('./output.cjs');
const { inState, outside, withoutState } = require('./paths.cjs');
const real = require('./real-fs.cjs');

/** @typedef {(...args: any[]) => any} Call */

/**
 * A call on one path.
 * @param {string} kind
 * @param {{ call?: Call, syscall?: string, changes?: boolean, then?: (args: any[], result: any) => any }} [how]
 *   `then` may replace the result
 * @returns {Call}
 */
function onPath(kind, { call = /** @type {any} */ (real)[`${kind}Sync`], syscall = kind, changes = false, then } = {}) {
  return (...args) => {
    const path = inState(args[0]);
    if (path === null) return machineFile(kind, args, call);
    return operate({ kind, path, changes, syscall, given: args[0] }, () => {
      const result = call(...args);
      return then === undefined ? result : then(args, result);
    });
  };
}

/**
 * A call on a descriptor.
 * @param {string} kind
 * @param {{ syscall?: string, changes?: boolean, then?: (args: any[], result: any) => any, count?: (result: any) => number }} [how]
 * @returns {Call}
 */
function onDescriptor(kind, { syscall = kind, changes = false, then, count } = {}) {
  const call = /** @type {any} */ (real)[`${kind}Sync`];
  return (...args) => {
    const path = descriptors.get(args[0]);
    if (path === undefined) return call(...args);
    return operate(
      { kind, path, changes, syscall },
      () => {
        const result = call(...args);
        return then === undefined ? result : then(args, result);
      },
      count,
    );
  };
}

/**
 * A call on two paths; it is an operation where one of them lies in the state directory.
 * @param {string} kind
 * @param {string} syscall
 * @param {(from: any, to: any, path: string | null, target: string | null) => void} then
 * @param {Call} [call]
 * @returns {Call}
 */
function onTwoPaths(kind, syscall, then, call = /** @type {any} */ (real)[`${kind}Sync`]) {
  return (...args) => {
    const [from, target] = args;
    const path = inState(from);
    const to = inState(target);
    if (path === null && to === null) return call(...args);
    const changes = to !== null || kind === 'rename';
    return operate({ kind, path: path ?? outside(from), to: to ?? outside(target), changes, syscall, given: from, givenTo: target }, () => {
      const result = call(...args);
      then(from, target, path, to);
      return result;
    });
  };
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOATIME, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } = constants;
/** @type {Record<string, number>} */
const flagNames = {
  r: O_RDONLY,
  rs: O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};
Object.assign(flagNames, {
  sr: flagNames.rs,
  'sr+': flagNames['rs+'],
  xw: flagNames.wx,
  'xw+': flagNames['wx+'],
  xa: flagNames.ax,
  'xa+': flagNames['ax+'],
  sa: flagNames.as,
  'sa+': flagNames['as+'],
});

/** Reading must not stamp the machine's time on a file; only its owner may ask for that. @param {any} path @param {number} flags @param {any} mode */
function openQuietly(path, flags, mode) {
  try {
    return real.openSync(path, flags | (O_NOATIME ?? 0), mode);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') throw error;
    return real.openSync(path, flags, mode);
  }
}

/** @param {any} path @param {any} [flags] @param {any} [mode] */
function openSync(path, flags, mode) {
  const at = inState(path);
  if (at === null) return machineFile('open', [path, flags, mode], real.openSync);
  const bits = typeof flags === 'number' ? flags : flagNames[flags ?? 'r'];
  if (bits === undefined) return real.openSync(path, flags, mode); // refuses the flags
  const changes = (bits & (O_CREAT | O_TRUNC)) !== 0;
  return operate({ kind: 'open', path: at, changes, given: path }, () => {
    const fresh = changes && !real.existsSync(path);
    const descriptor = openQuietly(path, bits, mode);
    descriptors.set(descriptor, at);
    if (fresh || (bits & O_TRUNC) !== 0) touchDescriptor(descriptor);
    if (fresh) touchParent(path);
    return descriptor;
  });
}

/** Closing changes nothing that another process or a successor could see: it is no operation. @param {any} descriptor */
function closeSync(descriptor) {
  real.closeSync(descriptor);
  descriptors.delete(descriptor);
}

/**
 * The bytes that a write would write, or null where the arguments are for Node to refuse.
 * @param {any[]} args as of `fs.writeSync`, without the descriptor
 * @returns {{ data: Buffer, position: number | null } | null}
 */
function bytesToWrite([buffer, second, third, fourth]) {
  if (typeof buffer === 'string') {
    if (third != null && !Buffer.isEncoding(third)) return null;
    return { data: Buffer.from(buffer, third ?? 'utf8'), position: typeof second === 'number' ? second : null };
  }
  if (!ArrayBuffer.isView(buffer)) return null;
  const named = typeof second === 'object' && second !== null;
  const offset = (named ? second.offset : second) ?? 0;
  const given = named ? second.length : third;
  const length = typeof given === 'number' ? given : buffer.byteLength - offset;
  const position = named ? second.position : fourth;
  if (!Number.isInteger(offset) || !Number.isInteger(length) || offset < 0 || length < 0 || offset + length > buffer.byteLength)
    return null;
  return { data: Buffer.from(buffer.buffer, buffer.byteOffset + offset, length), position: typeof position === 'number' ? position : null };
}

/** @param {any} descriptor @param {any[]} args */
function writeSync(descriptor, ...args) {
  const path = descriptors.get(descriptor);
  const standard = descriptor === 1 || descriptor === 2;
  const given = path === undefined && !standard ? null : bytesToWrite(args);
  if (given === null) return /** @type {Call} */ (real.writeSync)(descriptor, ...args);
  if (path === undefined) return writeOutput(descriptor, given.data);
  return writeBytes(descriptor, path, given.data, given.position);
}

/** @param {any} descriptor @param {any} buffers @param {any} [position] */
function writevSync(descriptor, buffers, position) {
  const path = descriptors.get(descriptor);
  const standard = descriptor === 1 || descriptor === 2;
  if ((path === undefined && !standard) || !Array.isArray(buffers) || !buffers.every((part) => ArrayBuffer.isView(part)))
    return real.writevSync(descriptor, buffers, position);
  const data = Buffer.concat(buffers.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  if (path === undefined) return writeOutput(descriptor, data);
  return writeBytes(descriptor, path, data, typeof position === 'number' ? position : null);
}

/** @param {number} descriptor @param {string} path @param {Buffer} data @param {number | null} position */
function writeBytes(descriptor, path, data, position) {
  return operateWrite({ kind: 'write', path, changes: true }, data, (from, to) => {
    const written = real.writeSync(descriptor, data, from, to - from, position === null ? null : position + from);
    touchDescriptor(descriptor);
    return written;
  });
}

/** @param {any} descriptor @param {any} buffer @param {any[]} rest */
function readSync(descriptor, buffer, ...rest) {
  const path = descriptors.get(descriptor);
  const call = /** @type {Call} */ (real.readSync);
  if (path === undefined) return call(descriptor, buffer, ...rest);
  return operate(
    { kind: 'read', path, changes: false },
    () => call(descriptor, buffer, ...rest),
    (length) => length,
  );
}

/** @param {any} path */
function existsSync(path) {
  try {
    return onExists(path);
  } catch {
    return false; // the fault asked for
  }
}
const onExists = onPath('exists', { syscall: 'access' });

/** @param {any} target @param {any} path @param {any} [type] */
function symlinkSync(target, path, type) {
  const at = inState(path);
  if (at === null) {
    if (inState(target) !== null) uncontrolled('a symbolic link into the state directory');
    return real.symlinkSync(target, path, type);
  }
  const to = inState(target) ?? withoutState(Buffer.from(String(target))).toString();
  return operate({ kind: 'symlink', path: at, to, changes: true, given: target, givenTo: path }, () => {
    real.symlinkSync(target, path, type);
    touchLink(path);
    touchParent(path);
  });
}

/** Copying reads the source, which must not show. @param {any} from @param {any} to @param {any} [mode] */
function copyQuietly(from, to, mode) {
  const before = inState(from) === null ? undefined : real.statSync(from, { throwIfNoEntry: false });
  real.copyFileSync(from, to, mode);
  if (before !== undefined) real.utimesSync(from, before.atimeMs / 1000, before.mtimeMs / 1000);
}

const entryCame = (/** @type {any[]} */ args, /** @type {any} */ result) => {
  touch(args[0]);
  touchParent(args[0]);
  return result;
};
const entryWent = (/** @type {any[]} */ args, /** @type {any} */ result) => {
  touchParent(args[0]);
  return result;
};
const changed = (/** @type {any[]} */ args, /** @type {any} */ result) => {
  if (typeof args[0] === 'number') touchDescriptor(args[0]);
  else touch(args[0]);
  return result;
};
const withVirtualTimes = (/** @type {any[]} */ _args, /** @type {any} */ stats) => virtualStats(stats);

/** @type {Record<string, Call>} */
const onPaths = {
  accessSync: onPath('access'),
  chmodSync: onPath('chmod', { changes: true }),
  chownSync: onPath('chown', { changes: true }),
  lchownSync: onPath('lchown', { changes: true }),
  utimesSync: onPath('utimes', { syscall: 'utime', changes: true }),
  lutimesSync: onPath('lutimes', { syscall: 'lutime', changes: true }),
  statSync: onPath('stat', { then: withVirtualTimes }),
  lstatSync: onPath('lstat', { then: withVirtualTimes }),
  statfsSync: onPath('statfs'),
  readdirSync: onPath('readdir', { syscall: 'scandir' }),
  readlinkSync: onPath('readlink'),
  realpathSync: Object.assign(onPath('realpath', { syscall: 'lstat' }), { native: onPath('realpath', { call: real.realpathSync.native }) }),
  mkdirSync: onPath('mkdir', { changes: true, then: entryCame }),
  rmdirSync: onPath('rmdir', { changes: true, then: entryWent }),
  unlinkSync: onPath('unlink', { changes: true, then: entryWent }),
  truncateSync: onPath('truncate', { syscall: 'open', changes: true, then: changed }),
  existsSync,
  openSync,
  symlinkSync,
  renameSync: onTwoPaths('rename', 'rename', (from, to, path, target) => {
    if (path !== null) touchParent(from);
    if (target !== null) touchParent(to);
    if (path !== null && target !== null) renamed(path, target);
  }),
  copyFileSync: onTwoPaths(
    'copyFile',
    'copyfile',
    (_from, to, _path, target) => {
      if (target !== null) entryCame([to], undefined);
    },
    copyQuietly,
  ),
  linkSync: onTwoPaths('link', 'link', (_from, to, _path, target) => {
    if (target !== null) touchParent(to);
  }),
};

/** @type {Record<string, Call>} */
const onDescriptors = {
  closeSync,
  readSync,
  writeSync,
  writevSync,
  readvSync: onDescriptor('readv', { syscall: 'read', count: (length) => length }),
  fstatSync: onDescriptor('fstat', { then: withVirtualTimes }),
  fsyncSync: onDescriptor('fsync'),
  fdatasyncSync: onDescriptor('fdatasync'),
  ftruncateSync: onDescriptor('ftruncate', { changes: true, then: changed }),
  futimesSync: onDescriptor('futimes', { syscall: 'futime', changes: true }),
  fchmodSync: onDescriptor('fchmod', { changes: true }),
  fchownSync: onDescriptor('fchown', { changes: true }),
};

module.exports = { ...onPaths, ...onDescriptors };
