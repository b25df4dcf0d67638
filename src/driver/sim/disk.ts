import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../history/history.ts';

/** The state directory of a trial holds no more than this: workspaces lie in memory where they can, and several trials run at once. */
export const DISK_BYTES_MAX = 256 * 1024 * 1024;

/** The disk on which the state directory lies. */
export interface Disk {
  /** Whether there is room for what the operation is about to write. */
  hasRoom(operation: Operation): boolean;
}

/** @param root The state directory. */
export function openDisk(root: string): Disk {
  /** More than what is there: what was there when it was last measured, and all that has been written since. */
  let reckoned = 0;

  return {
    hasRoom({ kind, path, changes, bytes = 0 }) {
      const more = kind === 'copyFile' ? size(join(root, path)) : changes ? bytes : 0;
      reckoned += more;
      if (more === 0 || reckoned <= DISK_BYTES_MAX) return true;
      reckoned = size(root) + more;
      return reckoned <= DISK_BYTES_MAX;
    },
  };
}

/** Of a file, or of all files below a directory. */
function size(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + size(join(path, name)), 0);
}
