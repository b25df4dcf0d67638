import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LastOperation } from '../../history/history.ts';
import { LaunchError, launcherRefused, remedyForLack } from '../launch-error.ts';
import type { Answer } from '../sim/protocol.ts';
import type { Launch } from '../world.ts';
import { startIn } from './cgroup.ts';
import { launcherRemedy } from './launchers.ts';
import { CHANNEL, operationCounter, type Probing, probedEnvironment, type Told } from './observe.ts';
import { lastReason, lastWords, lineSplitter, type OutputLog, openOutputLog } from './output.ts';
import { look, type Process, type Root } from './processes.ts';
import { letGo, standardInput, tagVariable, watchOver } from './reaper.ts';

/** The reason of a session's end is looked for in so much of the end of its stderr. */
const REASON_WITHIN_CHARACTERS = 64 * 1024;
/** After a session's end its pipes are read for at most so many turns, should a child of its own go on writing into them. */
const DRAIN_TURNS_MAX = 1000;

/** One process run of a kernel. */
export interface Session {
  name: string;
  process: Process;
  paused: boolean;
  /** From the moment at which the process has been reaped. */
  status: WaitStatus | null;
  /** Resolves at that moment. */
  reaped: Promise<WaitStatus>;
  /** Resolves when besides what it had said has been heard. `reason` is the one that stands last on stderr. */
  over: Promise<WaitStatus & { reason: string | null; last_words: string | null; last_operation?: LastOperation | null }>;
  /** Where its processes are found. */
  root(): Root;
  /** Lets it go on from where its probe holds it. */
  answer(answer?: Pick<Answer, 'tear'>): void;
  /** Gives pipes and log files back, should a child that outlived it have kept them open. */
  release(): Promise<void>;
}

export interface WaitStatus {
  code: number | null;
  signal: string | null;
}

/**
 * Starts a session as the leader of a group and a session of its own, its output drained from the first byte on. `tag` is `NAME=value` for its environment, `cgroup` the control group that is made for it.
 * Rejects with a LaunchError when the command names a launcher, or the program can't be started.
 */
export async function startSession(
  launch: Launch,
  { cwd, env, tag, cgroup, probe }: { cwd: string; env: Record<string, string>; tag: string; cgroup: string | null; probe: Probing | null },
  onLine: (text: string) => void,
  onTold: (told: Told) => void = () => {},
): Promise<Session> {
  const { command } = launch;
  const refused = launcherRemedy(command);
  if (refused !== null) throw launcherRefused(command, refused);

  const logs = { stdout: openOutputLog(`${launch.log}.out`), stderr: openOutputLog(`${launch.log}.err`) };
  const tagged = { ...env, ...tagVariable(tag) };
  const counter = probe ? operationCounter() : null;
  const child = await spawned(command, { cwd, env: probe ? probedEnvironment(command, tagged, probe) : tagged, cgroup, probe }).catch(
    (error: NodeJS.ErrnoException) => {
      logs.stdout.close();
      logs.stderr.close();
      throw startFailed(error, command, cwd);
    },
  );
  watchOver(child.pid);

  const heard = (line: string) => {
    const told: Told = JSON.parse(line);
    counter?.hear(told);
    onTold(told);
  };
  const hearing = hear(child, logs, onLine, probe ? heard : undefined);
  const reaped = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const session: Session = {
    name: launch.session,
    // It can't be gone yet: nobody else reaps it, and we not before the next turn of the event loop.
    process: look(child.pid) as Process,
    paused: false,
    status: null,
    reaped,
    over: reaped.then(async (status) => {
      await hearing.drained();
      const said = hearing.stderrEnd();
      return {
        ...status,
        reason: lastReason(said, launch.reasons),
        last_words: lastWords(said),
        ...(counter && { last_operation: counter.last() }),
      };
    }),
    root() {
      if (cgroup !== null) return { cgroup };
      const leader = session.status === null ? session.process : null;
      return { tag: `${tag}\0`, leader, sinceTicks: session.process.startTicks };
    },
    answer: (answer = {}) => (child.stdio[CHANNEL] as Socket | undefined)?.write(`${JSON.stringify(answer)}\n`),
    release: hearing.release,
  };
  child.once('exit', (code, signal) => {
    session.status = { code, signal };
    session.paused = false;
    letGo(session.process.pid);
  });
  return session;
}

type Child = ChildProcessByStdio<null, Readable, Readable> & { pid: number };

/**
 * Plain spawn: execa costs twice as much of our CPU a start (2.5 against 1.4 ms), and what it adds is not needed here.
 * Some errors are thrown by spawn, others are told later. Resolves in the same turn of the event loop, so that no exit can be missed.
 */
async function spawned(
  [program = '', ...words]: string[],
  { cwd, env, cgroup, probe }: { cwd: string; env: Record<string, string>; cgroup: string | null; probe: Probing | null },
): Promise<Child> {
  const channel = probe ? (['pipe'] as const) : [];
  const begin = () => spawn(program, words, { cwd, env, detached: true, stdio: [standardInput(), 'pipe', 'pipe', ...channel] });
  const child = cgroup === null ? begin() : startIn(cgroup, begin);
  if (child.pid !== undefined) return child as Child;
  const [error] = await once(child, 'error');
  throw error;
}

/** Drains both pipes of a session, into its logs, and its lines to whoever listens. */
function hear(
  child: Child,
  logs: Record<'stdout' | 'stderr', OutputLog>,
  onLine: (text: string) => void,
  onOperation: ((line: string) => void) | undefined,
) {
  const split = lineSplitter(onLine);
  let heard = 0;
  let stderrEnd = '';
  const drain = (pipe: Readable, log: OutputLog, onText: (text: string) => void) => {
    const decoder = new StringDecoder();
    pipe.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      log.write(chunk);
      onText(decoder.write(chunk));
    });
    return once(pipe, 'close').then(log.close);
  };
  const drains = [
    drain(child.stdout, logs.stdout, split),
    drain(child.stderr, logs.stderr, (text) => {
      stderrEnd = (stderrEnd + text).slice(-REASON_WITHIN_CHARACTERS);
    }),
  ];

  const channel = child.stdio[CHANNEL] as Readable | undefined;
  if (channel && onOperation) {
    const splitOperations = lineSplitter(onOperation);
    channel.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      splitOperations(chunk.toString('latin1'));
    });
    // The end of it is the session's end, which is told otherwise.
    channel.on('error', () => {});
  }

  /**
   * What the program said before its end lies in the pipes. End of file can't be waited for, because a child of its own may hold them open for ever:
   * one whole turn of the event loop in which nothing came is the proof that they were empty.
   */
  async function drained() {
    for (let turn = 0, silent = 0; silent < 2 && turn < DRAIN_TURNS_MAX; turn++) {
      const before = heard;
      await nextTurn();
      silent = heard === before ? silent + 1 : 0;
    }
  }

  async function release() {
    child.stdout.destroy();
    child.stderr.destroy();
    channel?.destroy();
    await Promise.all(drains);
  }

  return { drained, release, stderrEnd: () => stderrEnd };
}

function startFailed(cause: NodeJS.ErrnoException, command: string[], cwd: string): LaunchError {
  const errno = cause.code ?? cause.message;
  const program = command[0] ?? '';
  const remedies: Record<string, string> = {
    ENOENT: !existsSync(cwd)
      ? 'create the working directory'
      : existsSync(program)
        ? 'the file is there, so look at the interpreter in its first line'
        : 'give its full path, or {kernel}/… for a file of the campaign, or put it on the PATH',
    EACCES: 'make it executable (chmod +x), or name its interpreter first',
    E2BIG: 'make its arguments and its environment smaller',
  };
  const remedy = remedies[errno] ?? remedyForLack(errno) ?? 'start it by hand and see what is wrong';
  return new LaunchError({ command, problem: `could not be started in ${cwd}: ${errno}`, errno, remedy }, { cause });
}
