import { readFileSync } from 'node:fs';
import type { Server } from './servers.ts';

/** Whoever comes first in this list and is known here runs what root must not run. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** Who runs a server, where that must be another user than this process's. */
export function userFor({ unprivileged }: Pick<Server, 'unprivileged'>): { uid: number; gid: number } | null {
  if (!unprivileged || process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = UNPRIVILEGED.map((name) => lines.find(([known]) => known === name)).find((line) => line !== undefined) ?? [];
  if (uid === undefined) throw new Error(`a server must be run by another user than root, and there is none of ${UNPRIVILEGED.join(', ')}`);
  return { uid: Number(uid), gid: Number(gid) };
}
