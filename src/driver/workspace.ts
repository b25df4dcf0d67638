import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isPresent, look } from './live/processes.ts';

/** Of one trial's state and logs so much is kept; files that would go beyond it are named in `LEFT-OUT.txt`. */
export const KEPT_BYTES_MAX = 64 * 1024 * 1024;

const PREFIX = 'crash-campaign';

/** The directories of one trial. */
export interface Workspace {
  directory: string;
  /** The state directory of the kernels, empty. */
  state: string;
  /** For what the sessions say. */
  logs: string;
  /** Copies state and logs into a directory, which is created. */
  keep(to: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Creates the directories of one trial under `root` (default: the system's directory for temporary files). Paths have the same length in
 * every trial, because a program's behaviour may depend on it. The name says whose they are: from the first moment on, and without a file that a crash could keep from being written.
 */
export async function openWorkspace({ root = tmpdir() }: { root?: string } = {}): Promise<Workspace> {
  const directory = await mkdtemp(join(root, `${ownName()}-`));
  const state = join(directory, 'state');
  const logs = join(directory, 'logs');
  await Promise.all([mkdir(state), mkdir(logs)]);
  return {
    directory,
    state,
    logs,
    keep: (to) => keep(directory, ['logs', 'state'], to),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/**
 * Removes what harnesses that were killed left behind under `root`, and returns its paths. What belongs to a living process stays, and so does what was
 * made on another machine, in another container or before the last start of the machine: whether its owner lives can't be told from here.
 * @param giveBack Told of each directory before it is removed, for what else its owner has left.
 */
export async function sweepWorkspaces(
  root: string = tmpdir(),
  giveBack: (directory: string) => Promise<void> = async () => {},
): Promise<string[]> {
  // One that can't be removed (another user's, or one whose kernel took away its own permissions) must not keep anybody from running.
  const removed = await Promise.all(
    (await leftWorkspaces(root)).map(async (path) => {
      await giveBack(path);
      return rm(path, { recursive: true, force: true }).then(
        () => [path],
        () => [],
      );
    }),
  );
  return removed.flat();
}

/** What harnesses that live no more left under `root`, as paths. */
async function leftWorkspaces(root: string): Promise<string[]> {
  const here = machineName();
  const left = (await readdir(root)).filter((name) => {
    const [, machine, pid, startTicks] = name.match(/^crash-campaign-([0-9a-f]{8})-([0-9a-z]{5})-([0-9a-z]{9})-\w{6}$/) ?? [];
    if (machine !== here || pid === undefined || startTicks === undefined) return false;
    return !isPresent({ pid: Number.parseInt(pid, 36), startTicks: Number.parseInt(startTicks, 36) });
  });
  return left.map((name) => join(root, name));
}

function ownName(): string {
  const own = look('self');
  if (!own) throw new Error('Trials need the /proc of Linux, by which the left-overs of a killed run are told from those of a living one.');
  return [PREFIX, machineName(), own.pid.toString(36).padStart(5, '0'), own.startTicks.toString(36).padStart(9, '0')].join('-');
}

/** Where a pid and a start time mean what they mean here: this host, since this start, in this pid namespace. Eight hexadecimal digits. */
export function machineName(): string {
  const identity = [hostname(), readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid')];
  return createHash('sha256').update(identity.join('\n')).digest('hex').slice(0, 8);
}

/** Sockets and the like can't be copied, and symbolic links are kept as links, since they may lead anywhere. */
async function keep(directory: string, parts: string[], to: string): Promise<void> {
  const leftOut: string[] = [];
  let room = KEPT_BYTES_MAX;
  await mkdir(to, { recursive: true });
  for (const part of parts) await keepTree(join(directory, part)).catch((error: Error) => leftOut.push(`${part}: ${error.message}`));
  if (leftOut.length > 0) await writeFile(join(to, 'LEFT-OUT.txt'), `Not kept:\n${leftOut.join('\n')}\n`);

  async function keepTree(from: string): Promise<void> {
    const name = relative(directory, from);
    const target = join(to, name);
    const entry = await lstat(from);
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true });
      for (const child of (await readdir(from)).sort()) {
        await keepTree(join(from, child)).catch((error: Error) => leftOut.push(`${join(name, child)}: ${error.message}`));
      }
    } else if (entry.isSymbolicLink()) await symlink(await readlink(from), target);
    else if (!entry.isFile()) leftOut.push(`${name}: neither a file nor a directory`);
    else if (entry.size > room) leftOut.push(`${name}: its ${entry.size} bytes would go beyond ${KEPT_BYTES_MAX} for the trial`);
    else {
      room -= entry.size;
      await copyFile(from, target);
    }
  }
}
