import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readProc, statOf, threadState, threadsOf } from '../proc.ts';
import { killCgroup, membersOf } from './cgroup.ts';

/** One process as /proc/PID/stat shows it. Pid and start time together identify it for as long as the machine is up. */
export interface Process {
  pid: number;
  /** In clock ticks since the machine started: field 22. */
  startTicks: number;
  /** `R` running, `S` sleeping, `D` in an uninterruptible wait, `T` stopped, `Z` ended and not yet reaped, … */
  state: string;
  ppid: number;
  group: number;
  session: number;
}

/** Whose processes are meant. */
export type Root = Grouped | Marked;

/** All that are in a control group, and in those below it. */
interface Grouped {
  cgroup: string;
}

/** All that carry the tag in their environment, and all that the leader started. */
interface Marked {
  /** Text that is found in the environment of these processes and of no other. */
  tag: string;
  /** The leader of a process group and session of its own; null once it has been reaped, since its pid may then be another's. */
  leader: Process | null;
  /** No process with that tag was started before, in clock ticks since the machine started. Absent: nobody knows. */
  sinceTicks?: number;
}

/** How long a signal that no process can refuse may take to show. What is longer is a process stuck inside the system, or another user's. */
const PATIENCE_MS = 5000;
/** On a machine so busy that one look takes as long as that, the time says nothing. */
const LOOKS_MIN = 50;
/** A thread that was caught half-way into starting a child looks busy until that child goes on, so after so many looks all go on once and are stopped again. */
const LOOKS_PER_STOP = 6;

/** The process that has this pid now, or null. */
export function look(pid: number | 'self'): Process | null {
  const fields = statOf(pid);
  if (fields === null) return null;
  const number = (field: number) => Number(fields[field]);
  return {
    pid: number(1),
    startTicks: number(22),
    state: fields[3] ?? '',
    ppid: number(4),
    group: number(5),
    session: number(6),
  };
}

/** Whether this very process has ended, reaped or not. */
export function hasEnded(process: Pick<Process, 'pid' | 'startTicks'>): boolean {
  const found = look(process.pid);
  return found?.startTicks !== process.startTicks || isDead(found);
}

const isDead = ({ state }: Process) => state === 'Z' || state === 'X';

/** Whether this very process is still there, if only to be reaped. */
export function isPresent(process: Pick<Process, 'pid' | 'startTicks'>): boolean {
  return look(process.pid)?.startTicks === process.startTicks;
}

/** All living processes under some roots. */
export function family(roots: Root[]): Process[] {
  const marked = roots.filter((root) => 'tag' in root);
  const found = [...living(pidsOf(roots)), ...(marked.length > 0 ? markedBy(marked) : [])];
  return [...new Map(found.map((process) => [process.pid, process])).values()];
}

function pidsOf(roots: Root[]): number[] {
  return roots.flatMap((root) => ('cgroup' in root ? membersOf(root.cgroup) : []));
}

function living(pids: number[]): Process[] {
  return pids.map(look).filter((process) => process !== null && !isDead(process)) as Process[];
}

/**
 * A process that left its group, its session and its parent is known by its tag; one that cleaned its environment is known by its leader's group or session, or by its parent.
 * One that did all of that is not known. It takes a look at every process of the machine.
 */
function markedBy(roots: Marked[]): Process[] {
  const all = living(
    readdirSync('/proc')
      .filter((name) => /^\d/.test(name))
      .map(Number),
  );
  const tags = roots.map((root) => root.tag);
  const sinceTicks = Math.min(...roots.map((root) => root.sinceTicks ?? 0));
  const leaders = new Set(roots.map((root) => root.leader?.pid));
  const members = new Set(
    all.filter(
      ({ pid, group, session, startTicks }) =>
        leaders.has(group) || leaders.has(session) || (startTicks >= sinceTicks && carries(pid, tags)),
    ),
  );
  const pids = new Set([...members].map((process) => process.pid));
  for (let grown = true; grown; ) {
    grown = false;
    for (const process of all) {
      if (!pids.has(process.ppid) || pids.has(process.pid)) continue;
      members.add(process);
      pids.add(process.pid);
      grown = true;
    }
  }
  return [...members];
}

/** Signals this very process, or with `whole` the group that it leads; never one that has come to have its pid. */
export function signal(target: Process, name: NodeJS.Signals, whole: 'process' | 'group' = 'process'): void {
  if (!isPresent(target)) return;
  try {
    process.kill(whole === 'group' ? -target.pid : target.pid, name);
  } catch (error) {
    // ESRCH: it has just ended. EPERM: it took on another user's rights; whoever waits for the effect will report it.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Kills until none is left. A process that forked while it was looked for shows in the next look; one that was just calling exec, in the one after. */
export async function exterminate(roots: () => Root[]): Promise<void> {
  const begun = performance.now();
  for (const root of roots()) if ('cgroup' in root) killCgroup(root.cgroup);
  halt(roots());
  let left: Process[] = [];
  for (let clean = 0, looks = 1; clean < 2; looks++) {
    // One that is just ending has no environment any more, so it is remembered from the look before.
    const found = [...left.filter((member) => !hasEnded(member)), ...family(roots())];
    left = [...new Map(found.map((member) => [member.pid, member])).values()];
    for (const member of left) signal(member, 'SIGKILL');
    clean = left.length === 0 ? clean + 1 : 0;
    if (clean > 0) continue;
    if (looks >= LOOKS_MIN && performance.now() - begun > PATIENCE_MS) throw unmoved(left, 'SIGKILL');
    await delay(1);
  }
}

/** Stops all, and resolves when every thread of every process has been seen stopped. Rejects, with all going on again, when one can't be stopped. */
export async function freeze(roots: () => Root[]): Promise<void> {
  const begun = performance.now();
  halt(roots());
  for (let looks = 1; ; looks++) {
    const moving = family(roots()).filter((member) => !isStopped(member.pid));
    if (moving.length === 0) return;
    if (looks % LOOKS_PER_STOP !== 0) for (const member of moving) signal(member, 'SIGSTOP');
    else {
      // The stop comes with the next look: at once, it would find the child where it was.
      thaw(roots());
      if (performance.now() - begun > PATIENCE_MS) throw unmoved(moving, 'SIGSTOP');
    }
    await delay(1);
  }
}

/**
 * Stops control groups and the leaders' process groups at once, and unconfirmed. A look at all processes takes milliseconds, in which the program would go on beyond the point
 * that was meant for it, fork, or let go of its children.
 */
function halt(roots: Root[]): void {
  for (const member of living(pidsOf(roots))) signal(member, 'SIGSTOP');
  for (const root of roots) if ('tag' in root && root.leader) signal(root.leader, 'SIGSTOP', 'group');
}

/** Lets all go on. */
export function thaw(roots: Root[]): void {
  for (const member of family(roots)) signal(member, 'SIGCONT');
}

function isStopped(pid: number): boolean {
  return threadsOf(pid).every((thread) => 'TtZX'.includes(threadState(pid, thread)));
}

function carries(pid: number, tags: string[]): boolean {
  const environment = readProc(`/proc/${pid}/environ`);
  return environment !== null && tags.some((tag) => environment.includes(tag));
}

function unmoved(left: Process[], name: string): Error {
  const pids = left.map((member) => member.pid);
  const what = left.map((member) => `${member.pid} (state ${member.state})`).join(', ');
  return Object.assign(
    new Error(
      `${name} had no effect within ${PATIENCE_MS} ms on process ${what}. ` +
        'State D is a wait inside the system (a dead network disk?); any other state means that the kernel under test runs as another user: run both as the same one.',
    ),
    { pids, signal: name },
  );
}
