import { constants } from 'node:os';
import { INIT_PID } from './hosts.ts';
import type { Answer, Request } from './protocol.ts';
import { living, type Session } from './session.ts';
import { EPOCH_MS, end, pause, type Simulation } from './simulation.ts';

type SignalRequest = Extract<Request, { type: 'signal' }>;

/**
 * Carries out `kill(2)` from one session to another in the pid namespace of its host. SIGKILL, SIGSTOP and SIGCONT are done here; any other signal
 * reaches the other session with its next answer, and there its handlers, or it dies of it.
 * A signal to itself a session carries out itself; one that stops itself is stuck.
 */
export async function sendSignal(
  simulation: Simulation,
  from: Session,
  request: SignalRequest,
): Promise<Pick<Answer, 'fail' | 'started_ms'>> {
  const signal = signalName(request.signal);
  if (signal === undefined) return { fail: 'EINVAL' };
  // Each session is a group of its own: 0 means the sender's, a negative number that of another.
  const pid = Math.abs(request.pid) || from.pid;
  // The parent is there, and is root's.
  if (pid === INIT_PID) return signal === null ? {} : { fail: 'EPERM' };
  const to = living(simulation.sessions, from.host, pid);
  if (!to) return { fail: 'ESRCH' };
  const found = { started_ms: EPOCH_MS + to.started_us / 1000 };
  if (to === from) return found;
  if (signal === 'SIGKILL') end(simulation, to, await to.process.kill());
  else if (signal === 'SIGSTOP') pause(simulation, to);
  else if (signal === 'SIGCONT') to.paused = false;
  else if (signal !== null) {
    to.signals.push(signal);
    if (to.request?.type === 'idle') to.ready_us = Math.min(to.ready_us, simulation.now_us);
  }
  return found;
}

/** `SIGTERM`, from its name or number; null: signal 0, which only checks. Undefined: there is no such signal. */
function signalName(signal: number | string): NodeJS.Signals | null | undefined {
  if (signal === 0) return null;
  const signals = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return signals.find(([name, number]) => name === signal || number === signal)?.[0];
}
