'use strict';
/** Calls that take several steps, taken apart into operations: `mkdir -p`, `rm -r`, `cp -r`, and temporary directories. */
const { dirname, join, resolve, sep } = require('node:path');
/** @type {Record<string, any>} */
const operations = require('./file-operations.cjs');
const { touch, touchParent } = require('./file-times.cjs');
const { operate, systemError } = require('./operation.cjs');
const { inState, outside, text } = require('./paths.cjs');
const { anyWord, word } = require('./randomness.cjs');
const real = require('./real-fs.cjs');
const { setImmediate } = require('./timers.cjs');

/** @param {any} path @param {any} [options] */
function mkdirSync(path, options) {
  const given = text(path);
  if (options?.recursive !== true || given === null || inState(path) === null) return operations.mkdirSync(path, options);
  const missing = [given];
  for (
    let parent = dirname(given);
    parent !== missing[0] && inState(parent) !== null && !real.existsSync(parent);
    parent = dirname(parent)
  ) {
    missing.unshift(parent);
  }
  // Below something that is no directory nothing can be made: Node says so of the whole path.
  if (!real.statSync(dirname(/** @type {string} */ (missing[0])), { throwIfNoEntry: false })?.isDirectory())
    missing.splice(0, missing.length - 1);
  let first;
  for (const directory of missing) {
    const created = makeDirectory(directory, options);
    first ??= created;
  }
  return first;
}

/** Making what exists is no error here, and no change. @param {string} path @param {any} options */
function makeDirectory(path, options) {
  return operate({ kind: 'mkdir', path: /** @type {string} */ (inState(path)), changes: true, given: path }, () => {
    const created = real.mkdirSync(path, options);
    if (created !== undefined) {
      touch(path);
      touchParent(path);
    }
    return created;
  });
}

/** @param {any} path @param {any} [options] */
function rmSync(path, options) {
  const at = inState(path);
  if (at === null) return real.rmSync(path, options);
  const stats = real.lstatSync(path, { throwIfNoEntry: false });
  if (options?.recursive === true && stats?.isDirectory()) return removeTree(/** @type {string} */ (text(path)));
  operate({ kind: 'unlink', path: at, changes: true, syscall: 'rm', given: path }, () => {
    real.rmSync(path, options);
    touchParent(path);
  });
}

/** @param {string} path */
function removeTree(path) {
  for (const entry of operations.readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) removeTree(inside);
    else unlessGone(() => operations.unlinkSync(inside));
  }
  unlessGone(() => operations.rmdirSync(path));
}

/** Another process may be removing the same tree. @param {() => void} remove */
function unlessGone(remove) {
  try {
    remove();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
}

/** @param {any} source @param {any} destination @param {any} [options] */
function cpSync(source, destination, options) {
  const [from, to] = [text(source), text(destination)];
  if (from === null || to === null || (inState(from) === null && inState(to) === null)) return real.cpSync(source, destination, options);
  copyTree(from, to, options ?? {});
}

/** @param {string} from @param {string} to @param {any} options */
function copyTree(from, to, options) {
  const stats = (options.dereference ? real.statSync : real.lstatSync)(from, { throwIfNoEntry: false });
  const target = real.statSync(to, { throwIfNoEntry: false });
  const intoItself = `${resolve(to)}${sep}`.startsWith(`${resolve(from)}${sep}`);
  if (options.filter !== undefined && !options.filter(from, to)) return;
  // Node copies the single file, and refuses what can't be copied.
  if (!stats?.isDirectory() || options.recursive !== true || intoItself || (target !== undefined && !target.isDirectory()))
    return copyOne(from, to, options);
  if (target === undefined) mkdirSync(to, { recursive: true, mode: stats.mode });
  for (const name of inState(from) === null ? real.readdirSync(from) : operations.readdirSync(from))
    copyTree(join(from, name), join(to, name), options);
}

/** @param {string} from @param {string} to @param {any} options */
function copyOne(from, to, options) {
  const [path, target] = [inState(from) ?? outside(from), inState(to) ?? outside(to)];
  const before = real.statSync(from, { throwIfNoEntry: false });
  operate({ kind: 'copyFile', path, to: target, changes: inState(to) !== null, syscall: 'cp', given: from, givenTo: to }, () => {
    real.cpSync(from, to, { ...options, filter: undefined });
    if (inState(to) !== null && !options.preserveTimestamps) touch(to);
    if (inState(to) !== null) touchParent(to);
    if (inState(from) !== null && before !== undefined) real.utimesSync(from, before.atimeMs / 1000, before.mtimeMs / 1000);
  });
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Six random characters. @param {() => number} from numbers of 32 bits */
const suffix = (from) => Array.from({ length: 6 }, () => LETTERS[from() % LETTERS.length]).join('');

/**
 * The name comes from the seed, wherever the directory lies. Outside the state directory an earlier run may have left one of that
 * name: the next try must not take from the seed then, or all that follows would be another.
 * @param {any} prefix @param {any} [options]
 */
function mkdtempSync(prefix, options) {
  const given = text(prefix);
  if (given === null) return real.mkdtempSync(prefix, options); // refuses it
  const at = inState(`${given}XXXXXX`);
  const make = () => {
    for (let path = given + suffix(word); ; path = given + suffix(at === null ? anyWord : word)) {
      try {
        real.mkdirSync(path, 0o700);
      } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        if (code === 'EEXIST') continue;
        throw systemError(code ?? 'EINVAL', 'mkdtemp', `${given}XXXXXX`);
      }
      if (at !== null) {
        touch(path);
        touchParent(path);
      }
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding === 'buffer' ? Buffer.from(path) : path;
    }
  };
  return at === null ? make() : operate({ kind: 'mkdtemp', path: at, changes: true, given: `${given}XXXXXX` }, make);
}

/** @param {any} prefix @param {any} [options] */
function mkdtempDisposableSync(prefix, options) {
  const path = mkdtempSync(prefix, options);
  const absolute = resolve(String(path));
  const remove = () => rmSync(absolute, { recursive: true, force: true });
  return { path, remove, [Symbol.dispose]: remove };
}

/** Entries come in the order of their names, not in the file system's. @param {any} path @param {any} [options] */
function opendirSync(path, options) {
  const at = inState(path);
  if (at === null || options?.recursive) return real.opendirSync(path, options);
  return operate({ kind: 'opendir', path: at, changes: false, given: path }, () => {
    real.opendirSync(path, options).closeSync(); // refuses what is no directory
    const encoding = typeof options === 'string' ? options : options?.encoding;
    /** @type {any[]} */
    const entries = real.readdirSync(path, { withFileTypes: true, encoding });
    const handle = {
      /** @param {any} _encoding @param {any} _size @param {any} [request] */
      read(_encoding, _size, request) {
        const result = entries.length === 0 ? null : entries.splice(0).flatMap((entry) => [entry.name, kindOf(entry)]);
        if (typeof request?.oncomplete !== 'function') return result;
        setImmediate(() => request.oncomplete(null, result));
      },
      /** @param {any} [request] */
      close(request) {
        if (typeof request?.oncomplete === 'function') setImmediate(() => request.oncomplete(null));
      },
    };
    return new /** @type {any} */ (real.Dir)(handle, path, options);
  });
}

const kinds = /** @type {const} */ ([
  'isFile',
  'isDirectory',
  'isSymbolicLink',
  'isFIFO',
  'isSocket',
  'isCharacterDevice',
  'isBlockDevice',
]);

/** The number by which Node's binding names the type of an entry: one more than its place here. @param {any} entry */
const kindOf = (entry) => kinds.findIndex((is) => entry[is]()) + 1;

module.exports = { mkdirSync, rmSync, cpSync, mkdtempSync, mkdtempDisposableSync, opendirSync };
