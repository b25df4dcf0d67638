import { existsSync } from 'node:fs';
import type { Delivery, Happening, Launch, World } from '../world.ts';
import { removeCgroup, sessionCgroups } from './cgroup.ts';
import { delayMeter } from './delays.ts';
import { kernelEnvironment } from './environment.ts';
import type { Probing } from './observe.ts';
import { exterminate, family, freeze, hasEnded, thaw } from './processes.ts';
import { ensureReaper, HARNESS_TAG } from './reaper.ts';
import { type Session, startSession } from './session.ts';
import { openTurns } from './turns.ts';

/** While a session runs, the state is worth a look so often, unless it is said otherwise. */
export const TICK_MS = 5;
/** When so many happenings wait to be taken, lines that are not meant for the campaign are only logged. */
export const WAITING_MAX = 10_000;
/** The longest time that a Node timer can be set to. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface LiveOptions {
  /** The working directory of the kernels. */
  cwd: string;
  /** Where Node kernels keep their compiled code from one start to the next (NODE_COMPILE_CACHE): a kernel in TypeScript starts in less than half the time. */
  compileCache?: string;
  /** The probe is preloaded, which numbers the operations on the state directory; the kernels must be Node programs. */
  probe?: Probing | null;
  /** While a session runs, the state is worth a look so often. Absent: every 5 ms, or never where sessions are held at their operations, which are all that changes it. */
  tickMs?: number;
  /** Whether sessions get control groups, where this process may make some; what stands in for them is tested without. */
  cgroups?: boolean;
}

let worlds = 0;

/**
 * A world of real processes on the real clock, which starts at 0 now. Needs Linux, for its /proc.
 *
 * Each session leads a process group of its own. Whatever it starts is found again by a variable in its environment and, where that can be had, by a control group,
 * and a kill or a pause takes in all of it.
 * Nothing outlives this process, whatever ends it.
 */
export async function openLiveWorld(options: LiveOptions): Promise<World> {
  const { cwd, compileCache, probe = null, tickMs = probe === 'hold' ? null : TICK_MS, cgroups = true } = options;
  if (!existsSync('/proc/self/stat'))
    throw new Error('The live driver needs the /proc of Linux. On another system run it in a Linux container, or use --driver sim.');
  await ensureReaper();
  const tag = `${HARNESS_TAG}.${++worlds}.`;
  const ours = cgroups ? sessionCgroups() : null;
  const cgroup = ours === null ? null : `${ours}/${worlds}`;
  const begun = performance.now();
  const sessions = new Map<string, Session>();
  /** Those whose end has not been told yet. */
  const lively = new Set<Session>();
  const queue: Happening[] = [];
  const meter = delayMeter();
  let measured_ms = 0;
  const turns = probe === 'hold' ? openTurns(happen) : null;
  let wake = () => {};
  let ticking: NodeJS.Timeout | undefined;
  let closed = false;

  const now = () => performance.now() - begun;

  function happen(happening: Happening) {
    queue.push(happening);
    wake();
  }

  async function start(launch: Launch) {
    if (closed) throw new Error(`${launch.session} was to be started in a world that had been closed`);
    const env = kernelEnvironment(process.env, { ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }), ...launch.env });
    const session = await startSession(
      launch,
      { cwd, env, tag: tag + launch.session, cgroup: cgroup && `${cgroup}/${launch.session}`, probe },
      (text) => {
        // Children that outlive their session may go on talking, but it is not the session that speaks.
        if (!lively.has(session)) return;
        if (queue.length < WAITING_MAX || text.startsWith('@crash ')) happen({ type: 'line', session: launch.session, text });
      },
      (told) => turns?.heard(session, told),
    );
    sessions.set(session.name, session);
    lively.add(session);
    void session.over.then((end) => {
      lively.delete(session);
      happen({ type: 'ended', session: session.name, ...end });
    });
    return { pid: session.process.pid };
  }

  async function next(until_ms: number): Promise<Happening> {
    turns?.goOn();
    for (;;) {
      if (closed) throw new Error('the world has been closed');
      const happening = queue.shift();
      if (happening) return given(happening);
      const left_ms = until_ms - now();
      if (left_ms <= 0) return { type: 'time' };
      if (tickMs !== null && [...lively].some((session) => !session.paused)) ticking ??= setTimeout(tick, tickMs, now() + tickMs);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left_ms, TIMER_MS_MAX));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  function given(happening: Happening): Happening {
    const session = 'session' in happening ? sessions.get(happening.session) : undefined;
    if (session && happening.type === 'ended') turns?.stands(session, 'ended');
    if (session) turns?.taken(happening, session);
    // However much happens, the price is that of a tick.
    if (now() - measured_ms >= TICK_MS) meter.look((measured_ms = now()), lively);
    return happening;
  }

  function tick(due_ms: number) {
    ticking = undefined;
    meter.late(now(), due_ms);
    happen({ type: 'tick' });
  }

  async function kill(name: string): Promise<Delivery> {
    const session = sessions.get(name);
    if (!session || session.status !== null) return notAlive(name, session);
    // Somebody else's SIGKILL gives the same wait status as ours.
    if (hasEnded(session.process)) return endedFirst(session);
    await exterminate(() => [session.root()]);
    const status = await session.reaped;
    return status.signal === 'SIGKILL' ? { delivered: true } : notAlive(name, session);
  }

  async function pause(name: string): Promise<Delivery> {
    const session = sessions.get(name);
    if (!session || session.status !== null) return notAlive(name, session);
    try {
      await freeze(() => [session.root()]);
    } catch (error) {
      return { delivered: false, why: (error as Error).message };
    }
    if (hasEnded(session.process)) {
      // What it left behind goes on.
      thaw([session.root()]);
      return endedFirst(session);
    }
    session.paused = true;
    turns?.stands(session, 'paused');
    return { delivered: true };
  }

  async function resume(name: string): Promise<Delivery> {
    const session = sessions.get(name);
    if (!session || session.status !== null) return notAlive(name, session);
    if (!session.paused) return { delivered: false, why: `${name} was not paused` };
    session.paused = false;
    thaw([session.root()]);
    return { delivered: true };
  }

  async function tear(name: string, bytes: number): Promise<Delivery> {
    const session = sessions.get(name);
    if (!turns || !session || session.status !== null) return notAlive(name, session);
    return turns.tear(session, bytes);
  }

  async function endedFirst(session: Session): Promise<Delivery> {
    await session.reaped;
    return notAlive(session.name, session);
  }

  /** Children that outlived their session are stopped with it: they too can write. */
  async function still<T>(act: () => Promise<T>): Promise<T> {
    const unpaused = () => [...sessions.values()].filter((session) => !session.paused).map((session) => session.root());
    await freeze(unpaused);
    try {
      return await act();
    } finally {
      thaw(unpaused());
    }
  }

  async function close() {
    closed = true;
    wake();
    clearTimeout(ticking);
    const all = [...sessions.values()];
    try {
      await exterminate(() => all.map((session) => session.root()));
      // The tag finds what has moved to a control group of its own, or was forked while the others were looked for.
      const sinceTicks = Math.min(...all.map((session) => session.process.startTicks));
      const left = { tag, leader: null, sinceTicks };
      if (family([left]).length > 0) await exterminate(() => [left]);
      await Promise.all(all.map((session) => session.over));
      if (cgroup !== null) removeCgroup(cgroup);
    } finally {
      await Promise.all(all.map((session) => session.release()));
      sessions.clear();
    }
  }

  return {
    driver: 'live',
    delays: meter.delays,
    now,
    epoch: Date.now,
    start,
    next,
    kill,
    pause,
    continue: resume,
    still,
    ...(turns && { tear }),
    close,
  };
}

function notAlive(name: string, session: Session | undefined): Delivery {
  if (!session) return { delivered: false, why: `${name} had not been started` };
  const { code, signal: by } = session.status ?? {};
  return { delivered: false, why: by ? `${name} had already died by ${by}` : `${name} had already ended with code ${code}` };
}
