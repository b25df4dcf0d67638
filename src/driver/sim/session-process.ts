import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { LaunchError, launcherRefused, remedyForLack } from '../launch-error.ts';
import { launcherRemedy } from '../live/launchers.ts';
import { letGo, watchOver } from '../live/reaper.ts';
import type { Answer, Hello, Request, Welcome } from './protocol.ts';
import { isHeldUp, processorTimeOf } from './starved.ts';

/** Patience is taken in so many slices, */
const SLICES = 10;
/** and in so many of them with a session that gets no processor. */
const SLICES_MAX = 120;

/** How a process ended, as its wait status says. */
export interface Exit {
  type: 'ended';
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A kernel's process, with its end of the channel. It moves only between `answer` and the message that follows. */
export interface SessionProcess {
  pid: number;
  answer(answer: Welcome | Answer): void;
  /** The next message; `ended` when there will be none; `silent` when none came for so long in real time; `garbled` when it is not the probe's. */
  receive(patience_ms: number): Promise<Hello | Request | Exit | { type: 'silent' } | { type: 'garbled' }>;
  /** SIGKILL to the process and to all of its group; resolves when it has been reaped. */
  kill(): Promise<Exit>;
}

export interface SessionCommand {
  /** A Node program: the first word is `node`, or the path of one. */
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** What is preloaded into it, absolute. */
  probe: string;
  /** Hears what it writes. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

/** The channel's descriptor in the kernel's process: the first one after the three standard ones. */
const CHANNEL = 3;

/** The probe's longest messages are pieces of output, of less than 1 MiB. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/** The probe reads bytes as characters. */
const NOT_ASCII = /[\u0080-\uffff]/g;

/** After its exit, a process's output is waited for so long: a grandchild can hold it open for ever. */
const OUTPUT_GRACE_MS = 500;

/**
 * Starts a Node program with the probe preloaded. It blocks in its `hello` until it is answered, before anything of the program has run.
 * @throws {LaunchError} When the command is not a Node program, or when the process can't be started.
 */
export async function startSessionProcess({ command, env, cwd, probe, onOutput }: SessionCommand): Promise<SessionProcess> {
  const [program = '', ...args] = command;
  const remedy = launcherRemedy(command);
  if (remedy !== null) throw launcherRefused(command, remedy);
  if (basename(program).replace(/\.exe$/, '') !== 'node')
    throw new LaunchError({
      command,
      problem: 'is no Node program, and the sim driver needs one',
      errno: null,
      remedy: 'begin the command with `node`, or use --driver live',
    });
  // In NODE_OPTIONS rather than among the arguments: what is named there is loaded before anything else, and workers and children inherit it.
  const options = [`--require "${probe.replace(/[\\"]/g, '\\$&')}"`, env.NODE_OPTIONS].filter(Boolean).join(' ');
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: options, CRASH_CAMPAIGN_CHANNEL: String(CHANNEL) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that a kill reaches what it has started, and Ctrl-C reaches only us.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) {
    const [cause] = await once(child, 'error');
    throw new LaunchError(
      {
        command,
        problem: `could not be started: ${cause.message}`,
        errno: cause.code ?? null,
        remedy: remedyForLack(cause.code) ?? 'start it by hand and see what is wrong',
      },
      { cause },
    );
  }

  watchOver(pid);

  let exit: Exit | null = null;
  let message: string | null = null;
  let notify = () => {};
  const ended = new Promise<Exit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      exit ??= { type: 'ended', code, signal };
      resolve(exit);
      notify();
    };
    child.once('exit', (code, signal) => {
      // What it leaves behind in its group dies with it. Its pid was given back just now, so that nobody else can have it yet.
      killGroup(pid);
      letGo(pid);
      setTimeout(end, OUTPUT_GRACE_MS, code, signal).unref();
    });
    child.once('close', end);
  });

  for (const stream of ['stdout', 'stderr'] as const) child[stream]?.on('data', (chunk: Buffer) => onOutput(stream, chunk));

  const channel = child.stdio[CHANNEL] as Socket;
  // Written to after the process's death: its end is told by `ended`.
  channel.on('error', () => {});
  let chunks: Buffer[] = [];
  let bytes = 0;
  channel.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    // The process asks and blocks, so nothing can follow the end of a line. What is too long is taken as it is, and found to be garbled.
    if (chunk[chunk.length - 1] !== 0x0a && bytes <= MESSAGE_BYTES_MAX) return;
    message = (chunks.length === 1 ? chunk : Buffer.concat(chunks)).toString();
    chunks = [];
    bytes = 0;
    notify();
  });

  return {
    pid,
    answer(answer) {
      channel.write(
        `${JSON.stringify(answer).replace(NOT_ASCII, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
      );
    },
    async receive(patience_ms) {
      const isSilent = () => message === null && exit === null;
      let ran_ms: number | null = null;
      for (let slices = 1; isSilent(); slices++) {
        await new Promise<void>((resolve) => {
          // Where we ourselves were held up, its message lies there: it is read before the immediate comes.
          const timer = setTimeout(() => setImmediate(resolve), patience_ms / SLICES);
          notify = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        // A look at /proc costs as much as an operation: only who is silent for long is looked at.
        if (!isSilent()) break;
        ran_ms ??= processorTimeOf(pid);
        if (slices < SLICES) continue;
        // On a machine that is busy with other things it may hardly have run yet, and that must not show in the history.
        const hasRun = processorTimeOf(pid) - ran_ms >= patience_ms / 2;
        if (hasRun || !isHeldUp(pid) || slices === SLICES_MAX) break;
      }
      if (message !== null) {
        const line = message;
        message = null;
        try {
          return JSON.parse(line);
        } catch {
          return { type: 'garbled' };
        }
      }
      return exit ?? { type: 'silent' };
    },
    kill() {
      // Until its exit has been told, its pid is not given back: nobody else can be hit.
      if (exit === null && child.exitCode === null && child.signalCode === null) killGroup(pid);
      return ended;
    },
  };
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
