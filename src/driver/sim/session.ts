import { dirname } from 'node:path';
import type { Operation } from '../../history/history.ts';
import { type Stream, stream } from '../../random/stream.ts';
import { tagVariable } from '../live/reaper.ts';
import type { Launch } from '../world.ts';
import { type Host, INIT_PID } from './hosts.ts';
import type { Answer, Request } from './protocol.ts';
import type { Seat } from './schedule.ts';
import { openSessionOutput, type SessionOutput } from './session-output.ts';
import { type SessionProcess, startSessionProcess } from './session-process.ts';
import type { Simulation } from './simulation.ts';

export interface Session extends Seat {
  host: Host;
  seesBootId: boolean;
  /** Virtual: what the program sees as its pid. */
  pid: number;
  /** When its program began. */
  started_us: number;
  command: string[];
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
  answer: Pick<Answer, 'fail' | 'tear' | 'started_ms'>;
  /** Signals that have come for its handlers and have not been passed on. */
  signals: NodeJS.Signals[];
}

/** What all sessions of a world have around them. */
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

/**
 * Starts a session. Its process comes up while others go on, and blocks before its first step, which it takes when its time has come.
 * @throws {LaunchError} When the command is no Node program, or can't be started.
 */
export async function startSession(simulation: Simulation, launch: Launch, surroundings: Surroundings): Promise<Session> {
  const { sessions, hosts, now_us, seed } = simulation;
  const host = hosts.get(launch.host);
  const costs = stream('sim', 'costs', seed, launch.session);
  const begins_us = now_us + costs.int(...START_US);
  const output = openSessionOutput(launch.log, launch.reasons);
  const process = await startSessionProcess({
    command: launch.command,
    env: environment(launch.env, surroundings),
    cwd: surroundings.home,
    probe: surroundings.probe,
    onOutput: output.written,
  }).catch((error) => {
    output.close();
    throw error;
  });
  const session: Session = {
    name: launch.session,
    order: sessions.length,
    alive: true,
    paused: false,
    ready_us: begins_us,
    host,
    seesBootId: !launch.host.endsWith('!'),
    pid: hosts.assignPid(host, (pid) => pid === INIT_PID || living(sessions, host, pid) !== undefined),
    started_us: begins_us,
    command: launch.command,
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

/** Nothing of our own environment: it could show in a history. */
function environment(given: Record<string, string>, { home, compileCache, tag }: Surroundings): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
    ...given,
    ...tagVariable(tag),
  };
}

/** The session that a pid means on that host. */
export function living(sessions: readonly Session[], host: Host, pid: number): Session | undefined {
  return sessions.find((session) => session.alive && session.host === host && session.pid === pid);
}
