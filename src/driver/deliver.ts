import type { LockSite } from '../locks/lock.ts';
import type { Action, Place, Window } from '../plan/plan.ts';
import type { Disturbance } from './service.ts';
import { hostOf, machineOf, type Session, type Stage, sessionsAlive } from './stage.ts';
import { resolve } from './trigger.ts';
import type { Delivery } from './world.ts';

/** `windows`: those in which the session was in the instant in which it was struck. Absent: those of the moment at which the fault's place was reached. */
export type Struck = Delivery & { windows?: Window[] };

const DELIVERED: Delivery = { delivered: true };
const NO_SERVICE: Delivery = { delivered: false, why: 'the lock of this subject is in no service' };

/**
 * Carries out a fault's action. `session` is the one that the fault's place means; the lock's and the cast's faults need none.
 * A fault is delivered only when its effect has been seen: the wait status says SIGKILL, every thread stands still, the lock has changed.
 */
export async function deliver(stage: Stage, action: Action, session: Session | undefined): Promise<Struck> {
  const { lock } = stage.trial;
  switch (action.do) {
    case 'steal':
      return tamper(stage, 'stolen', lock.steal);
    case 'expire':
      return tamper(stage, 'expired', lock.expire);
    case 'corrupt':
      return tamper(stage, 'damaged', (site) => lock.corrupt(site, action.how));
    case 'rival':
      await stage.start({}, null);
      return DELIVERED;
    case 'reuse-pid':
      return reusePid(stage);
    case 'outage':
      return outage(stage, action.ms);
  }
  if (!session) return failed('there was no such session');
  if (!session.alive) return failed(`${session.name} had ended`);
  switch (action.do) {
    case 'kill':
      return kill(stage, session);
    case 'pause':
      return pause(stage, session, action);
    case 'power-cut':
      return endHost(stage, session, 'lost');
    case 'reboot':
      return endHost(stage, session, 'kept');
    case 'tear':
      return tear(stage, session, action.bytes);
    case 'partition':
      return disturb(stage, session, action.ms, { is: 'partition', direction: action.direction });
    case 'cut':
      return disturb(stage, session, action.ms, { is: 'cut' });
    case 'delay':
      return disturb(stage, session, action.ms, { is: 'delay', by_ms: action.by_ms });
  }
  const { sim } = stage.world;
  if (!sim) return needsSim(action.do);
  switch (action.do) {
    case 'jump':
      sim.jump(hostOf(session), action.ms);
      return DELIVERED;
    case 'yield': {
      const to = resolve(action.to, stage.view);
      return to === null ? failed('there was no such session') : sim.yieldTo(to);
    }
    case 'fail':
      if (!stage.pending.has(session.name)) return failed('it was not before an operation');
      sim.fail(session.name, action.errno);
      return DELIVERED;
  }
}

/** Lets a paused session go on. */
export async function wake(stage: Stage, session: Session): Promise<void> {
  if (!session.alive || !session.paused) return;
  session.paused = false;
  stage.observe({ type: 'continued', session: session.name });
  await stage.world.continue(session.name);
}

/** Looks before it kills, while nobody moves: what the session had done by then must not count as its successor's. */
async function kill(stage: Stage, session: Session): Promise<Struck> {
  const { watch, world } = stage;
  return world.still(async () => {
    await watch.look(session.name);
    const held_lock = watch.holder() === session.name;
    const windows = stage.windowsOf(session.name);
    session.asked = true;
    const delivery = await world.kill(session.name);
    session.asked = delivery.delivered;
    // Under live the kill itself takes time, and recovery is counted from when it is over.
    const lease_left_ms = held_lock ? watch.leaseLeft_ms() : null;
    if (delivery.delivered) stage.observe({ type: 'killed', session: session.name, windows, held_lock, lease_left_ms });
    return { ...delivery, windows };
  });
}

async function pause(stage: Stage, session: Session, action: Extract<Action, { do: 'pause' }>): Promise<Delivery> {
  const delivery = await stage.world.pause(session.name);
  if (!delivery.delivered) return delivery;
  session.paused = true;
  stage.observe({ type: 'paused', session: session.name });
  stage.waitFor('until' in action ? action.until : in_ms(action.ms), () => wake(stage, session));
  return delivery;
}

async function tamper(
  stage: Stage,
  change: 'stolen' | 'expired' | 'damaged',
  act: (site: LockSite) => void | Promise<void>,
): Promise<Delivery> {
  const { watch, world } = stage;
  return world.still(async () => {
    await watch.look(null);
    if (watch.holder() === null) return failed('no session held the lock');
    await act(stage.site());
    await watch.tampered(change);
    await watch.lookAtState(null);
    return DELIVERED;
  });
}

/** Writes a part of what the session was about to write, and kills it there. */
async function tear(stage: Stage, session: Session, bytes: number): Promise<Struck> {
  const { world } = stage;
  const operation = stage.pending.get(session.name)?.operation;
  if (!operation?.changes || operation.bytes === undefined)
    return failed(operation ? `${operation.kind} is no write` : 'it was not before a write');
  if (bytes >= operation.bytes) return failed(`it wrote no more than ${operation.bytes} bytes`);
  if (!world.tear) return failed('a write can be torn only where it is held before it: place the tear at an operation');
  const delivery = await world.tear(session.name, bytes);
  if (!delivery.delivered) return delivery;
  return kill(stage, session);
}

async function endHost(stage: Stage, session: Session, unsynced: 'kept' | 'lost'): Promise<Delivery> {
  const { watch, world } = stage;
  if (!world.sim) return needsSim(unsynced === 'lost' ? 'power-cut' : 'reboot');
  await watch.look(session.name);
  const holder = watch.holder();
  const lease_left_ms = watch.leaseLeft_ms();
  const host = machineOf(hostOf(session));
  const struck = sessionsAlive(stage).filter((other) => machineOf(hostOf(other)) === host);
  const windows = new Map(struck.map((other) => [other.name, stage.windowsOf(other.name)]));
  for (const other of struck) other.asked = true;
  await world.sim.reboot(host, unsynced);
  for (const { name } of struck) {
    const held_lock = name === holder;
    stage.observe({
      type: 'killed',
      session: name,
      windows: windows.get(name) ?? [],
      held_lock,
      lease_left_ms: held_lock ? lease_left_ms : null,
    });
  }
  await watch.look(null);
  return DELIVERED;
}

/** Looks first: of what was there a moment before nobody can tell while the service is down. */
async function outage(stage: Stage, ms: number): Promise<Delivery> {
  const { service } = stage.trial;
  if (!service) return NO_SERVICE;
  await stage.watch.look(null);
  const delivery = await service.kill();
  if (delivery.delivered) stage.waitFor(in_ms(ms), async () => service.start());
  return delivery;
}

function disturb(stage: Stage, session: Session, ms: number, how: Disturbance): Delivery {
  const { service } = stage.trial;
  if (!service) return NO_SERVICE;
  const restore = service.disturb(session.name, how);
  if (!restore) return failed(`${session.name} has no connection to the service that could be disturbed`);
  stage.waitFor(in_ms(ms), async () => restore());
  return DELIVERED;
}

function in_ms(ms: number): Place {
  return { at: 'time', ms, since: 'last-fault' };
}

function reusePid(stage: Stage): Delivery {
  if (!stage.world.sim) return needsSim('reuse-pid');
  const dead = [...stage.sessions.values()].findLast((session) => !session.alive);
  if (!dead) return failed('no session had died');
  stage.world.sim.reusePid(dead.pid);
  return DELIVERED;
}

function failed(why: string): Delivery {
  return { delivered: false, why };
}

function needsSim(action: string): Delivery {
  return failed(`only the sim driver can do ${action}`);
}
