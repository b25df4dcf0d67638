import { constants } from 'node:fs';
import { access, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** Room that memory must offer before trials are put there. */
const ROOM_BYTES_MIN = 512 * 1024 * 1024;
const MEMORY = '/dev/shm';

/**
 * Where the workspaces of trials are made: in memory where there is room for them, since kernels that guard their state sync it again and again; else in the
 * system's directory for temporary files. No symbolic link leads there.
 */
export async function workspaceRoot(): Promise<string> {
  const memory = await access(MEMORY, constants.W_OK)
    .then(() => statfs(MEMORY))
    .catch(() => null);
  return realpath(memory && memory.bavail * memory.bsize >= ROOM_BYTES_MIN ? MEMORY : tmpdir());
}
