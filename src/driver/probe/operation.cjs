'use strict';
/** One operation: asked for, carried out, and its outcome kept for the next message. */
const { constants } = require('node:os');
const { getSystemErrorMap } = require('node:util');
const { binding } = require('./binding.cjs');
const { ask, report } = require('./channel.cjs');
const { withoutState } = require('./paths.cjs');

/** @type {{ crc32(data: Uint8Array, start: number): number }} */
const { crc32 } = binding('zlib');

/** @type {Record<string, number>} */
const errnos = constants.errno;

/**
 * An error as Node builds it from a failed system call.
 * @param {string} code @param {string} syscall @param {unknown} [path] @param {unknown} [dest]
 */
function systemError(code, syscall, path, dest) {
  const errno = -(errnos[code] ?? 0);
  const [, message] = getSystemErrorMap().get(errno) ?? [code, 'unknown error'];
  const place = path === undefined ? '' : ` '${path}'`;
  const target = dest === undefined ? '' : ` -> '${dest}'`;
  const facts = { errno, code, syscall, ...(path === undefined ? {} : { path }), ...(dest === undefined ? {} : { dest }) };
  return Object.assign(new Error(`${code}: ${message}, ${syscall}${place}${target}`), facts);
}

/** Node's own functions call each other through the module that the probe has changed: what they call belongs to the operation. */
let performing = false;

/**
 * @typedef Operation
 * @property {string} kind
 * @property {string} path relative to the state directory
 * @property {string} [to]
 * @property {boolean} changes
 * @property {string} [syscall] as errors name it; absent: the kind
 * @property {unknown} [given] the path as the program gave it, for the error that a fault makes
 * @property {unknown} [givenTo]
 */

/**
 * Asks for an operation and carries it out.
 * @template T
 * @param {Operation} operation
 * @param {() => T} perform
 * @param {(result: T) => number} [count] bytes moved
 * @returns {T}
 */
function operate(operation, perform, count) {
  if (performing) return perform();
  const { kind, path, to, changes } = operation;
  const answer = ask(to === undefined ? { type: 'operation', kind, path, changes } : { type: 'operation', kind, path, to, changes });
  if (answer.fail !== undefined) fail(operation, answer.fail);
  return carryOut(perform, count);
}

/**
 * Asks for a write and carries it out, or the part of it that the answer allows.
 * @param {Operation} operation
 * @param {Buffer} data
 * @param {(from: number, to: number) => number} write writes that part of the data
 */
function operateWrite(operation, data, write) {
  if (performing) return write(0, data.length);
  const shown = withoutState(data);
  const sum = crc32(shown, 0).toString(16).padStart(8, '0');
  const { kind, path } = operation;
  const answer = ask({ type: 'operation', kind, path, bytes: shown.length, sum, changes: true });
  if (answer.fail !== undefined) fail(operation, answer.fail);
  if (answer.tear === undefined)
    return carryOut(
      () => write(0, data.length),
      (written) => written,
    );
  const torn = write(0, Math.min(answer.tear, data.length));
  ask({ type: 'torn' });
  return carryOut(
    () => torn + write(torn, data.length),
    (written) => written,
  );
}

/** @param {Operation} operation @param {string} code @returns {never} */
function fail(operation, code) {
  report({ error: code });
  throw systemError(code, operation.syscall ?? operation.kind, operation.given, operation.givenTo);
}

/** @template T @param {() => T} perform @param {(result: T) => number} [count] @returns {T} */
function carryOut(perform, count) {
  performing = true;
  try {
    const result = perform();
    report(count === undefined ? {} : { bytes: count(result) });
    return result;
  } catch (error) {
    report({ error: /** @type {NodeJS.ErrnoException} */ (error)?.code ?? 'unknown' });
    throw error;
  } finally {
    performing = false;
  }
}

module.exports = { operate, operateWrite, systemError };
