import { mkdirSync, realpathSync } from 'node:fs';
import { exterminate } from '../live/processes.ts';
import { ensureReaper, HARNESS_TAG } from '../live/reaper.ts';
import { PROBE } from '../probe-file.ts';
import type { Delivery, Happening, Launch, SimPowers, World } from '../world.ts';
import { openDisk } from './disk.ts';
import { openDurability } from './durability.ts';
import { openHosts } from './hosts.ts';
import { openSchedule } from './schedule.ts';
import { type Session, startSession } from './session.ts';
import { end, epoch_ms, pause, type Simulation } from './simulation.ts';
import { step, tear } from './step.ts';

export interface SimOptions {
  /** Every choice of the world is drawn from it: costs of steps, pids, boot ids, what a power cut loses, and the sessions' own randomness. */
  seed: string | number;
  /** The state directory: absolute, existing, and reached through no symbolic link. */
  state: string;
  /** Working directory, HOME and TMPDIR of the sessions, outside the state directory. Made if it does not exist. */
  home: string;
  /** Where kernels keep their compiled code between starts (NODE_COMPILE_CACHE). */
  compileCache?: string;
  /** Whether power will be cut. Only then an account is kept of what is synced: it costs a scan of the state directory per change. */
  powerCut?: boolean;
  /** A session that says nothing for so long in real time, though it is its turn, is killed as stuck. Default 10 s. */
  patience_ms?: number;
  /** What is preloaded into the kernels, absolute. Default: the project's probe. */
  probe?: string;
}

let worlds = 0;

const PATIENCE_MS = 10_000;

/**
 * Opens a world in which Node programs run in virtual time, one at a time, so that the same seed, plan and programs give the same happenings.
 *
 * A session is always blocked in a request to us, except when it is its turn within `next()`. What it says and how it ends are looked at only then, so that
 * nothing depends on when it arrives. Time goes on by the cost of each step, and jumps to the next timer when every session waits.
 *
 * @throws Error when the state directory can't be used; `start` throws when a command is no Node program.
 */
export async function openSimWorld(options: SimOptions): Promise<World & { sim: SimPowers }> {
  const { seed, state, home, powerCut = false, patience_ms = PATIENCE_MS, probe = PROBE, compileCache } = options;
  if (realpathSync(state) !== state)
    throw new Error(`the state directory ${state} lies behind a symbolic link: give ${realpathSync(state)}`);
  mkdirSync(home, { recursive: true });

  const sessions: Session[] = [];
  const simulation: Simulation = {
    seed,
    state,
    patience_ms,
    now_us: 0,
    sessions,
    schedule: openSchedule(sessions),
    hosts: openHosts(seed),
    happenings: [],
    uncontrolled: false,
    durability: powerCut ? openDurability(state, seed) : null,
    disk: openDisk(state),
    isFullTold: false,
  };
  const { schedule, hosts, happenings, durability } = simulation;
  // The end of its channel kills a session that waits or takes a step; the reaper one that spins, and what it has started.
  await ensureReaper();
  const tag = `${HARNESS_TAG}.sim-${++worlds}.`;
  const surroundings = { home, probe, compileCache, tag };
  let closed = false;

  const find = (name: string) => sessions.find((session) => session.name === name);

  async function start(launch: Launch) {
    durability?.begin();
    const { pid } = await startSession(simulation, launch, surroundings);
    return { pid };
  }

  async function next(until_ms: number): Promise<Happening> {
    if (!Number.isFinite(until_ms))
      throw new RangeError(`until_ms is ${until_ms}: give the trial's deadline, for it may be that nothing happens`);
    // Rounded up, so that a time that has come by our reckoning has come by the caller's too.
    const until_us = Math.ceil(until_ms * 1000);
    for (;;) {
      if (closed) throw new Error('the world has been closed');
      const happening = happenings.shift();
      if (happening) return happening;
      if (simulation.now_us >= until_us) return { type: 'time' };
      const session = schedule.turn(simulation.now_us);
      if (session) await step(simulation, session, until_us);
      else simulation.now_us = Math.min(schedule.nextReady_us(), until_us);
    }
  }

  /** Does something to a session that is alive. */
  async function to(name: string, act: (session: Session) => Delivery | Promise<Delivery>): Promise<Delivery> {
    const session = find(name);
    if (!session) return { delivered: false, why: `there is no session ${name}` };
    return session.alive ? act(session) : { delivered: false, why: `${name} has ended` };
  }

  const kill = (name: string) =>
    to(name, async (session) => {
      const exit = await session.process.kill();
      end(simulation, session, exit);
      if (exit.signal === 'SIGKILL') return { delivered: true };
      return { delivered: false, why: `${name} had ended of itself with ${exit.signal ?? `code ${exit.code}`}` };
    });

  /** The session, blocked before an operation. */
  function beforeOperation(name: string): Session {
    const session = find(name);
    if (session?.alive && session.operation && session.announced) return session;
    throw new Error(`${name} is not before an operation: do this when \`before\` has been told of it`);
  }

  async function reboot(name: string, unsynced: 'kept' | 'lost') {
    if (unsynced === 'lost' && !durability)
      throw new Error('a power cut needs the account of what is synced: open the world with `powerCut: true`');
    const { machine } = hosts.get(name);
    const struck = sessions.filter((session) => session.alive && session.host.machine === machine).map((session) => session.name);
    for (const session of struck) await kill(session);
    hosts.reboot(machine);
    if (unsynced === 'lost') durability?.cut(machine.name);
    return struck;
  }

  return {
    driver: 'sim',
    now: () => simulation.now_us / 1000,
    epoch: () => epoch_ms(simulation),
    start,
    next,
    kill,
    pause: (name) =>
      to(name, (session) => {
        pause(simulation, session);
        return { delivered: true };
      }),
    continue: (name) =>
      to(name, (session) => {
        session.paused = false;
        return { delivered: true };
      }),
    async still(act) {
      const result = await act();
      durability?.changed(null, []);
      return result;
    },
    tear: (name, bytes) => tear(simulation, beforeOperation(name), bytes),
    sim: {
      fail(name, errno) {
        beforeOperation(name).answer = { fail: errno };
      },
      yieldTo: (name) => schedule.yieldTo(find(name)),
      jump(name, ms) {
        hosts.get(name).machine.skew_ms += ms;
      },
      reusePid: hosts.reusePid,
      reboot,
    },
    async close() {
      closed = true;
      await Promise.all(sessions.map(({ name }) => kill(name)));
      if (simulation.uncontrolled) await exterminate(() => [{ tag, leader: null }]);
    },
  };
}
