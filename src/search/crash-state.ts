import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What a state directory holds: kinds and contents by path, and no times. The contents of a directory are the paths below it. */
export type CrashState = ReadonlyMap<string, { kind: 'directory' | 'file' | 'link' | 'other'; content: Buffer }>;

const NOTHING = Buffer.alloc(0);

/** Reads a state directory whole, into memory: it must not change meanwhile. */
export function readCrashState(directory: string): CrashState {
  const state = new Map<string, { kind: 'directory' | 'file' | 'link' | 'other'; content: Buffer }>();
  const take = (path: string) => {
    const absolute = join(directory, path);
    const found = lstatSync(absolute);
    if (found.isDirectory()) {
      state.set(path, { kind: 'directory', content: NOTHING });
      for (const name of readdirSync(absolute).sort()) take(join(path, name));
    } else if (found.isFile()) state.set(path, { kind: 'file', content: readFileSync(absolute) });
    else if (found.isSymbolicLink()) state.set(path, { kind: 'link', content: Buffer.from(readlinkSync(absolute)) });
    else state.set(path, { kind: 'other', content: NOTHING });
  };
  take('.');
  return state;
}

/** SHA-256 in hex: the same for byte-identical states. */
export function digestOfState(state: CrashState): string {
  const hash = createHash('sha256');
  for (const [path, { kind, content }] of state) hash.update(JSON.stringify([path, kind, content.length])).update(content);
  return hash.digest('hex');
}

/**
 * The state that a write leaves which is cut off after so many of its bytes. Null when it can't be told from the states around the write, because
 * the write did more than append to the file.
 */
export function tornState(before: CrashState, after: CrashState, write: { path: string; bytes: number }, torn: number): CrashState | null {
  const [old, whole] = [before.get(write.path), after.get(write.path)];
  if (old?.kind !== 'file' || whole?.kind !== 'file') return null;
  const { length } = old.content;
  if (whole.content.length !== length + write.bytes || !whole.content.subarray(0, length).equals(old.content)) return null;
  return new Map(after).set(write.path, { kind: 'file', content: whole.content.subarray(0, length + torn) });
}
