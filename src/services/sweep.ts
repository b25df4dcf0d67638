import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { sweepWorkspaces } from '../driver/workspace.ts';

/**
 * Removes what harnesses that were killed left of their trials and servers under `root`: directories, and the segments of shared memory by which a PostgreSQL
 * tells that another is at work in its directory. Those outlive a SIGKILL.
 */
export async function sweepServers(root: string): Promise<void> {
  await sweepWorkspaces(root, async (directory) => {
    const segment = segmentOf(join(directory, 'server'));
    if (segment !== null) await execa('ipcrm', ['-m', segment], { reject: false });
  });
}

/** The identifier of its segment: the last word of the seventh line. */
function segmentOf(directory: string): string | null {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[6]?.trim().split(/\s+/)[1] ?? null;
  } catch {
    return null;
  }
}
