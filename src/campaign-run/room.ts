import { statfs } from 'node:fs/promises';
import { RunStoppedError } from './run-errors.ts';

/** On a disk with less room than this a trial proves nothing: its kernel may have failed for want of room. */
export const ROOM_BYTES_MIN = 4 * 1024 * 1024;

/** Asked when a trial has ended, before it is recorded. Throws a RunStoppedError. */
export async function requireRoom(workspaces: string, runDirectory: string): Promise<void> {
  const { bavail, bsize } = await statfs(workspaces);
  const left = bavail * bsize;
  if (left >= ROOM_BYTES_MIN) return;
  throw new RunStoppedError(
    runDirectory,
    `there is no room left: the disk of the trials' workspaces, ${workspaces}, has ${left} bytes, and a trial needs ${ROOM_BYTES_MIN}`,
    'What has been recorded is whole, and the trial that was being run will be run again. Make room.',
  );
}
