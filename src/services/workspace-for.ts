import { readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { openWorkspace, type Workspace } from '../driver/workspace.ts';
import type { Server } from './servers.ts';

/** Whoever comes first in this list and is known here runs what root must not run. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** A workspace under `root` for a server, which belongs to whoever runs it; `user` is that one, where it must be another than this process's. */
export async function workspaceFor(
  server: Server,
  root: string,
): Promise<{ workspace: Workspace; user: { uid: number; gid: number } | null }> {
  const user = userFor(server);
  const workspace = await openWorkspace({ root });
  if (user) await chown(workspace.directory, user.uid, user.gid);
  return { workspace, user };
}

function userFor({ unprivileged }: Server): { uid: number; gid: number } | null {
  if (!unprivileged || process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = UNPRIVILEGED.map((name) => lines.find(([known]) => known === name)).find((line) => line !== undefined) ?? [];
  if (uid === undefined) throw new Error(`a server must be run by another user than root, and there is none of ${UNPRIVILEGED.join(', ')}`);
  return { uid: Number(uid), gid: Number(gid) };
}
