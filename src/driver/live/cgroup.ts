import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from '../proc.ts';

/**
 * Where this harness may make control groups (cgroup v2), each session gets one of its own. What a session starts is in it, in whatever process group and with whatever parents,
 * environment and files. A program sees nothing of it but a longer name in /proc/self/cgroup.
 */

/** The control group that this process is in; null where it may make none below it. */
let home: string | null | undefined;
/** Below `home`: that of all sessions of this process, one for each world, one for each session. */
const name = `crash-campaign-${process.pid}-${statOf('self')?.[22]}`;

/** The directory of the control group under which those of sessions are made; null where that is not possible. Nothing is made by asking. */
export function sessionCgroups(): string | null {
  if (home === undefined) home = usableHome();
  return home === null ? null : join(home, name);
}

/**
 * Starts something in a control group, which is made for it. This process joins the group for as long as a start takes, so that nothing can be forked before its parent is in it; moving the
 * started process would come too late. `begin` has to be synchronous, and no other thread may start processes meanwhile.
 */
export function startIn<T>(group: string, begin: () => T): T {
  mkdirSync(group, { recursive: true });
  enter(group);
  try {
    return begin();
  } finally {
    enter(home as string);
  }
}

/** The pids of all living processes of a control group, and of the groups in it; none when it has gone. */
export function membersOf(group: string): number[] {
  return below(group).flatMap((directory) => {
    try {
      return readFileSync(join(directory, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
}

/** Sends SIGKILL to all of it at once. One that is just forking is not missed. */
export function killCgroup(group: string): void {
  if (existsSync(group)) writeFileSync(join(group, 'cgroup.kill'), '1');
}

/** Removes a control group and those in it, if nobody is in them any more. What can't be removed yet is left to the reaper. */
export function removeCgroup(group: string): void {
  for (const directory of below(group).reverse()) {
    try {
      rmdirSync(directory);
    } catch {
      return;
    }
  }
}

/** The directories of a control group and of all groups in it, parents before children. */
function below(group: string): string[] {
  try {
    const children = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [group, ...children.flatMap((entry) => below(join(group, entry.name)))];
  } catch {
    return [];
  }
}

const enter = (group: string) => writeFileSync(join(group, 'cgroup.procs'), '0');

/** Found by doing, since who may do what is a matter of mounts, owners, delegation and containers. `cgroup.kill` needs Linux 5.14. */
function usableHome(): string | null {
  const own = ownCgroup();
  if (own === null) return null;
  const probe = join(own, `${name}-probe`);
  try {
    mkdirSync(probe);
  } catch {
    return null;
  }
  try {
    enter(probe);
    enter(own);
    return existsSync(join(probe, 'cgroup.kill')) ? own : null;
  } catch {
    return null;
  } finally {
    removeCgroup(probe);
  }
}

function ownCgroup(): string | null {
  try {
    // `ID PARENT MAJOR:MINOR ROOT MOUNT-POINT …`; of a container that has no namespace for them, ROOT is its own group.
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    const [, , , root = '', mountPoint = ''] = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ') ?? [];
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    if (path === undefined || mountPoint === '') return null;
    return join(mountPoint, root === '/' ? path : path.replace(root, ''));
  } catch {
    return null;
  }
}
