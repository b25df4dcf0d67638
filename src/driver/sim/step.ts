import type { Operation } from '../../history/history.ts';
import { LaunchError, remedyForLack } from '../launch-error.ts';
import type { Delivery } from '../world.ts';
import { DISK_BYTES_MAX } from './disk.ts';
import { INIT_PID } from './hosts.ts';
import { operationOf, type Request } from './protocol.ts';
import type { Session } from './session.ts';
import type { SessionProcess } from './session-process.ts';
import { sendSignal } from './signals.ts';
import { EPOCH_MS, end, epoch_ms, type Simulation } from './simulation.ts';

/** What a step costs in virtual microseconds. It is drawn, so that the phases of the sessions drift as they do in life. */
const STEP_US = [20, 200] as const;
const BYTES_PER_US = 1000;

/**
 * Lets a session take one step: to the place before its operation, or through what it asks for to what it asks for next.
 * Nothing is let go after `until_us`: then it only becomes that late.
 */
export async function step(simulation: Simulation, session: Session, until_us: number): Promise<void> {
  const { name, request, operation } = session;
  if (operation && !session.announced) {
    session.announced = true;
    simulation.happenings.push({ type: 'before', session: name, operation });
    return;
  }
  if (session.due_us > until_us) {
    simulation.now_us = until_us;
    return;
  }
  simulation.now_us = Math.max(simulation.now_us, session.due_us);
  if (request === null) {
    const hello = await session.process.receive(simulation.patience_ms);
    if (isUnbegun(hello)) throw unbegun(session, hello, simulation.patience_ms);
    if (hello.type !== 'hello' || hello.pid !== session.process.pid) return take(simulation, session, hello);
    session.started_us = simulation.now_us;
    session.process.answer(welcome(simulation, session));
  } else {
    if (request.type === 'signal' && operation && session.answer.fail === undefined) {
      session.answer = await sendSignal(simulation, session, request);
      if (session.answer.fail !== undefined) session.operation = { ...operation, error: session.answer.fail };
    }
    if (operation && session.answer.fail === undefined && !simulation.disk.hasRoom(operation)) refuse(simulation, session);
    const signal = session.signals.shift();
    session.process.answer({
      now_ms: epoch_ms(simulation),
      skew_ms: session.host.machine.skew_ms,
      ...session.answer,
      ...(signal && { signal }),
    });
  }
  session.answer = {};
  await take(simulation, session, await session.process.receive(simulation.patience_ms));
}

type Message = Awaited<ReturnType<SessionProcess['receive']>>;
type Unbegun = Extract<Message, { type: 'ended' | 'silent' }>;

/**
 * Before its hello nothing of the program has run. Where it may start no thread, node aborts itself there, or waits for ever for one that it does not have; a program that can't be loaded,
 * or options that node does not know, end it with a code.
 */
function isUnbegun(message: Message): message is Unbegun {
  return message.type === 'silent' || (message.type === 'ended' && message.signal === 'SIGABRT');
}

function unbegun({ command }: Session, { type }: Unbegun, patience_ms: number): LaunchError {
  const what = type === 'ended' ? 'node aborted itself' : `node did nothing for ${patience_ms} ms of real time`;
  const errno = 'EAGAIN';
  return new LaunchError({
    command,
    problem: `did not begin: ${what} before its program, as it does where it can start no threads`,
    errno,
    remedy: remedyForLack(errno) as string,
  });
}

/** Lets a session write a part of what it is about to write, whoever's turn it is. It stays in the middle of that until it is killed. */
export async function tear(simulation: Simulation, session: Session, bytes: number): Promise<Delivery> {
  simulation.now_us = Math.max(simulation.now_us, session.due_us);
  session.process.answer({ now_ms: epoch_ms(simulation), skew_ms: session.host.machine.skew_ms, tear: bytes });
  const message = await session.process.receive(simulation.patience_ms);
  if (message.type === 'torn') {
    changed(simulation, session);
    return { delivered: true };
  }
  await take(simulation, session, message);
  return { delivered: false, why: 'the write was over before it could be torn' };
}

/** The disk is full. A trial that comes to this is told of once: it is not what anybody meant to test. */
function refuse(simulation: Simulation, session: Session) {
  session.answer = { ...session.answer, fail: 'ENOSPC' };
  if (simulation.isFullTold) return;
  simulation.isFullTold = true;
  const what = `a full disk: the state directory has no room for more than ${DISK_BYTES_MAX / 1024 ** 2} MiB`;
  simulation.happenings.push({ type: 'uncontrolled', session: session.name, what });
}

function welcome(simulation: Simulation, { name, host, seesBootId, pid }: Session) {
  return {
    now_ms: epoch_ms(simulation),
    skew_ms: host.machine.skew_ms,
    pid,
    ppid: INIT_PID,
    hostname: host.machine.name,
    boot_id: seesBootId ? host.machine.boot_id : null,
    pid_namespace: host.pid_namespace,
    random_seed: JSON.stringify([simulation.seed, name]),
    state: simulation.state,
  };
}

/** Takes in what a session has come to since it was let go. */
async function take(simulation: Simulation, session: Session, message: Message) {
  const { happenings, patience_ms } = simulation;
  switch (message.type) {
    case 'ended':
      changed(simulation, session);
      return end(simulation, session, message);
    case 'silent': {
      const exit = await session.process.kill();
      happenings.push({ type: 'stuck', session: session.name, real_ms: patience_ms });
      changed(simulation, session);
      return end(simulation, session, exit);
    }
    case 'hello':
    case 'garbled': {
      const exit = await session.process.kill();
      happenings.push({ type: 'uncontrolled', session: session.name, what: 'something else than its probe spoke on the channel' });
      changed(simulation, session);
      return end(simulation, session, exit);
    }
    default:
      if (session.operation) finish(simulation, session, session.operation, message);
  }
  session.request = message;
  session.ready_us = simulation.now_us;
  session.due_us = simulation.now_us + session.costs.int(...STEP_US);
  ask(simulation, session, message);
}

/** An operation is over: its outcome came with the next request. */
function finish(simulation: Simulation, session: Session, operation: Operation, { done }: Request) {
  session.operation = null;
  if (operation.changes) changed(simulation, session, operation);
  else if (operation.kind === 'fsync' || operation.kind === 'fdatasync') simulation.durability?.synced(operation.path);
  const error = done?.error ?? operation.error;
  // Bytes to be written are told beforehand, with the state directory's path left out; of those read only the outcome knows.
  const bytes = operation.bytes ?? done?.bytes;
  const outcome = { ...operation, ...(bytes !== undefined && { bytes }), ...(error !== undefined && { error }) };
  simulation.happenings.push({ type: 'after', session: session.name, operation: outcome });
}

/** Takes in what a session asks for. */
function ask(simulation: Simulation, session: Session, request: Request) {
  const { now_us, schedule, happenings } = simulation;
  const { name } = session;
  switch (request.type) {
    case 'idle':
      // A process that waits for nothing says null, which is what Infinity becomes on the way. Time must go on even if the wait is over.
      session.ready_us = request.until_ms === null ? Infinity : Math.max(now_us + 1, Math.round((request.until_ms - EPOCH_MS) * 1000));
      if (session.signals.length > 0) session.ready_us = now_us;
      session.due_us = 0;
      return schedule.waits(session);
    case 'operation':
      session.due_us += Math.floor((request.bytes ?? 0) / BYTES_PER_US);
      return before(session, operationOf(request));
    case 'signal':
      return before(session, operationOf(request));
    case 'output':
      session.due_us += Math.floor(request.text.length / BYTES_PER_US);
      for (const text of session.output.told(request.stream, request.text)) happenings.push({ type: 'line', session: name, text });
      return;
    case 'uncontrolled':
      simulation.uncontrolled = true;
      happenings.push({ type: 'uncontrolled', session: name, what: request.what });
  }
}

function before(session: Session, operation: Omit<Operation, 'n' | 'lock'>) {
  session.operations++;
  // Which paths belong to the lock is for the trial to say.
  session.operation = { n: session.operations, ...operation, lock: false };
  session.announced = false;
}

function changed({ durability, happenings }: Simulation, session: Session, operation = session.operation) {
  const paths = operation ? [operation.path, operation.to ?? operation.path] : [];
  for (const path of durability?.changed(session.host.machine.name, paths) ?? [])
    happenings.push({
      type: 'uncontrolled',
      session: session.name,
      what: `power cut: ${path} is too large to take back what was not synced`,
    });
}
