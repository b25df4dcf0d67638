import { dirname } from 'node:path';
import type { Operation } from '../../history/history.ts';
import { type Stream, stream } from '../../random/stream.ts';
import type { Launch } from '../world.ts';
import { type Host, INIT_PID } from './hosts.ts';
import type { Answer, Request } from './protocol.ts';
import type { Seat } from './schedule.ts';
import { openSessionOutput, type SessionOutput } from './session-output.ts';
import { type SessionProcess, startSessionProcess } from './session-process.ts';
import type { Simulation } from './simulation.ts';

export interface Session extends Seat {
  host: Host;
  /** Virtual: what the program sees as its pid. */
  pid: number;
  process: SessionProcess;
  output: SessionOutput;
  costs: Stream;
  /** What it asks for, and is blocked in until it is answered. Null: it has not said hello. */
  request: Request | null;
  /** When the request is let go at the earliest. */
  due_us: number;
  /** The operation that it is before or in. */
  operation: Operation | null;
  /** Whether the place before that operation has been told. */
  announced: boolean;
  /** How many operations it has asked for. */
  operations: number;
  /** What the answer will say besides the time. */
  answer: Pick<Answer, 'fail' | 'tear'>;
  /** Signals that have come for its handlers and have not been passed on. */
  signals: NodeJS.Signals[];
}

/** A process that is blocked before its first step. */
export interface Started {
  launch: Launch;
  process: SessionProcess;
  output: SessionOutput;
}

export interface Surroundings {
  /** Working directory, HOME and TMPDIR. */
  home: string;
  probe: string;
  compileCache?: string;
  /** `NAME=value` in the environment of every process of this world, and of no other. */
  tag: string;
}

/** From its start to its first step, in virtual microseconds. */
const START_US = [20_000, 60_000] as const;

/** @throws Error when the command is no Node program, or can't be started. */
export async function startProcess(launch: Launch, { home, probe, compileCache, tag }: Surroundings): Promise<Started> {
  const [tagName, tagValue] = tag.split('=') as [string, string];
  const output = openSessionOutput(launch.log, launch.reasons);
  try {
    const process = await startSessionProcess({
      command: launch.command,
      // Nothing of our own environment besides: it could show in a history.
      env: {
        PATH: `${dirname(globalThis.process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: home,
        TMPDIR: home,
        TZ: 'UTC',
        LANG: 'C.UTF-8',
        ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
        ...launch.env,
        [tagName]: tagValue,
      },
      cwd: home,
      probe,
      onOutput: output.written,
    });
    return { launch, process, output };
  } catch (error) {
    output.close();
    throw error;
  }
}

/** Makes a started process a session of the simulation. */
export function admit({ sessions, hosts, now_us, seed }: Simulation, { launch, process, output }: Started): Session {
  const host = hosts.get(launch.host);
  const costs = stream('sim', 'costs', seed, launch.session);
  const session: Session = {
    name: launch.session,
    order: sessions.length,
    alive: true,
    paused: false,
    ready_us: now_us + costs.int(...START_US),
    host,
    pid: hosts.assignPid(host, (pid) => pid === INIT_PID || living(sessions, host, pid) !== undefined),
    process,
    output,
    costs,
    request: null,
    due_us: 0,
    operation: null,
    announced: false,
    operations: 0,
    answer: {},
    signals: [],
  };
  sessions.push(session);
  return session;
}

/** The session that a pid means on that host. */
export function living(sessions: readonly Session[], host: Host, pid: number): Session | undefined {
  return sessions.find((session) => session.alive && session.host === host && session.pid === pid);
}
