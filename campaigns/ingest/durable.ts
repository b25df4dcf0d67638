import { closeSync, fsyncSync, linkSync, openSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';

/** Writes a whole file. When this returns, its bytes survive a power cut; its name only after `syncDirectory`. */
export function writeSynced(path: string, data: string | Uint8Array): void {
  const fd = openSync(path, 'w');
  try {
    writeFileSync(fd, data);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a directory survive a power cut. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Gives complete data a name that must not exist yet, and says whether this call was the one that did: a register that is written once.
 *
 * `open` with O_EXCL would be exclusive too, but a crash between it and the write would leave an empty register for ever,
 * and a reader could see half of it. A link appears whole or not at all.
 */
export function publishOnce(temporary: string, path: string, data: string): boolean {
  try {
    writeSynced(temporary, data);
    linkSync(temporary, path);
  } catch (error) {
    // ENOENT: the directory of the temporary file was taken away by a session with a higher token.
    if (!isCode(error, 'EEXIST', 'ENOENT')) throw error;
    return false;
  } finally {
    removeFile(temporary);
  }
  return true;
}

export function removeFile(path: string): void {
  ignoring(['ENOENT'], () => unlinkSync(path));
}

/** The numbers in names like `<number><suffix>`, ascending. */
export function numbersIn(directory: string, suffix: string): number[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, name.length - suffix.length))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The result of the call, or undefined when it fails with one of these codes. */
export function ignoring<T>(codes: string[], call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (!isCode(error, ...codes)) throw error;
    return undefined;
  }
}

export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
