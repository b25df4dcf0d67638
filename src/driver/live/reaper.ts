import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, openSync, unlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { sessionCgroups } from './cgroup.ts';

/**
 * Every process that this harness starts carries this text in its environment, behind the name of the variable.
 * One process starts many worlds, and all share one reaper.
 */
export const HARNESS_TAG = `CRASH_CAMPAIGN_TRIAL=${randomUUID()}`;

/** A tag, which is `HARNESS_TAG` and more, as the variable that carries it. */
export function tagVariable(tag: string): Record<string, string> {
  const [name, value] = tag.split('=') as [string, string];
  return { [name]: value };
}

let input: number | null = null;

/**
 * The standard input of every session, and so of what a session starts: an empty file of this harness that has no name any more. A program that empties its environment
 * before its group could be told of is known by it.
 */
export function standardInput(): number {
  if (input !== null) return input;
  try {
    input = emptyFile(tmpdir());
  } catch (error) {
    if (!NO_PLACE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    input = emptyFile(MEMORY);
  }
  return input;
}

const MEMORY = '/dev/shm';
/** A directory for temporary files that is not there, or can't be written to. */
const NO_PLACE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EROFS'];

function emptyFile(directory: string): number {
  const path = join(directory, `crash-campaign-${randomUUID()}`);
  const file = openSync(path, constants.O_RDONLY | constants.O_CREAT | constants.O_EXCL, 0o400);
  unlinkSync(path);
  return file;
}

/**
 * Reads `start PID` and `end PID` of process group leaders. End of file means that the harness is gone, by whatever end:
 * then the control groups of sessions and the process groups that have not ended are killed, and whatever carries the tag or has the file that is the reaper's third
 * as its standard input. A process that the harness was just starting may show its tag only a moment later, hence the repetition. Groups are killed only once, because their numbers are free for others afterwards.
 */
const SCRIPT = `
for tool in grep head sleep tr; do command -v $tool >/dev/null || exit 1; done
groups=' '
echo ready
while read -r what pid; do
  case $what in
    start) groups="$groups$pid " ;;
    end) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
[ -z "$REAPER_CGROUP" ] || echo 1 >"$REAPER_CGROUP/cgroup.kill"
for group in $groups; do kill -s KILL -- "-$group"; done
for pause in 0 0.05 0.1 0.2 0.4; do
  sleep $pause
  # Of several files, head prints each one's name above it: one look at all processes with three programs.
  head -c 2097152 /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -e '^==> /proc/' -e "^$REAPER_OF" | while read -r line file rest; do
    case $line in
      '==>') pid=\${file#/proc/} ;;
      *) kill -s KILL "\${pid%/environ}" ;;
    esac
  done
  for link in /proc/[0-9]*/fd/0; do
    pid=\${link#/proc/}
    if [ "$link" -ef /proc/$$/fd/3 ]; then kill -s KILL "\${pid%/fd/0}"; fi
  done
done
# Children before their parents.
[ -z "$REAPER_CGROUP" ] || find "$REAPER_CGROUP" -depth -type d -exec rmdir {} +
`;

const watched = new Set<number>();
let reaper: Promise<ChildProcess> | null = null;

/**
 * Sees to it that nothing outlives this process, not even when it is SIGKILLed: starts the reaper, once. It is a session of its own, so that neither
 * Ctrl-C nor the death of our process group reaches it, and it is started anew should it be killed.
 */
export async function ensureReaper(): Promise<void> {
  reaper ??= openReaper();
  await reaper;
}

/** To be called right after the start of a process group leader. */
export function watchOver(pid: number): void {
  watched.add(pid);
  tell(`start ${pid}\n`);
}

/** To be called as soon as the leader has been reaped, since its number may then be given to another. */
export function letGo(pid: number): void {
  if (watched.delete(pid)) tell(`end ${pid}\n`);
}

function tell(line: string): void {
  void reaper?.then((child) => child.stdin?.write(line));
}

async function openReaper(): Promise<ChildProcess> {
  // Its command line has nothing of our name: who ends the harness by `pkill -9 -f crash-campaign` must not end the reaper in the same breath.
  const child = spawn('sh', ['-c', 'eval "$REAPER"'], {
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH, REAPER: SCRIPT, REAPER_OF: HARNESS_TAG, REAPER_CGROUP: sessionCgroups() ?? '' },
    stdio: ['pipe', 'pipe', 'ignore', standardInput()],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  // A write to a reaper that has just been killed fails; its successor is told everything again.
  child.stdin.on('error', () => {});
  const problem: { cause?: NodeJS.ErrnoException } | null = await Promise.race([
    once(child, 'error').then(([cause]) => ({ cause })),
    once(child.stdout, 'data').then(() => null),
    once(child, 'exit').then(() => ({})),
  ]);
  if (problem) {
    reaper = null;
    // Whatever else the machine has too little of is said as it is.
    if (problem.cause && problem.cause.code !== 'ENOENT') throw problem.cause;
    throw new Error(
      'The live driver needs `sh`, `grep`, `head`, `sleep` and `tr` on the PATH: without them nothing would end the kernels if this process were killed.',
    );
  }
  child.once('exit', () => {
    reaper = openReaper();
    void reaper.then((successor) => {
      for (const pid of watched) successor.stdin?.write(`start ${pid}\n`);
    });
  });
  child.unref();
  (child.stdin as Socket).unref();
  (child.stdout as Socket).unref();
  return child;
}
