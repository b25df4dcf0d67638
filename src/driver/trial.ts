import type { Campaign } from '../campaign/campaign.ts';
import type { Entry, FaultPhase, History, Operation, TrialFacts } from '../history/history.ts';
import { openWindows } from '../history/windows.ts';
import type { LockHolder } from '../locks/lock.ts';
import type { CastMember, Fault, Place, Plan, Window } from '../plan/plan.ts';
import { printFault } from '../plan/print.ts';
import type { Golden } from '../plan/scenario.ts';
import { deliver, wake } from './deliver.ts';
import { said } from './said.ts';
import type { TrialService } from './service.ts';
import { type Session, type Stage, sessionsAlive } from './stage.ts';
import { arm, dueAt, isReached, type Moment, resolve, sessionOfMoment, type Trigger, type View } from './trigger.ts';
import { type Observation, openWatch } from './watch.ts';
import type { Happening, Launch, World } from './world.ts';

/** One trial to be run. */
export interface Trial {
  facts: TrialFacts;
  plan: Plan;
  /** What the golden run measured; null for the golden run itself. */
  golden: Pick<Golden, 'windows_ms'> | null;
  lock: Campaign['lock'];
  read: Campaign['read'];
  /** The state directory, set up. */
  state: string;
  /** Where the lock is kept, if not in the state directory. */
  service?: TrialService | null;
  /** How a session of this cast member is started. */
  launch(session: string, member: CastMember): Launch | Promise<Launch>;
  /** The trial is given up after so many sessions: a kernel that needs more restarts than this makes no progress. */
  sessions_max: number;
  /** Told of each operation before it is carried out and when it is over, before any fault is placed there. */
  atOperation?(edge: 'before' | 'after', session: string, operation: Operation): void;
}

/**
 * Runs one trial to its end and returns its history: starts the cast, places the plan's faults, and starts the program again
 * until its work is done and no session is left, or the deadline has come. The world is left open.
 *
 * A session that ends with code 0 has found the work done. When the last one alive ends in any other way, another is started in its place.
 */
export async function runTrial(trial: Trial, world: World): Promise<History> {
  const { facts, plan } = trial;
  const entries: Entry[] = [];
  const spawned_ms = new Map<string, number>();
  const sessions = new Map<string, Session>();
  const pending: Stage['pending'] = new Map();
  const windows = openWindows(facts.driver);
  const waiting = new Map<Trigger, (moment: Moment) => Promise<void>>();
  /** What has happened and has not been shown to the triggers. */
  const unsettled: Moment[] = [];
  const site = () => ({ state: trial.state, now_ms: world.epoch(), ttl_ms: facts.ttl_ms, service: trial.service?.access });
  const watch = openWatch({
    lock: trial.lock,
    read: trial.read,
    site,
    epoch_ms: facts.epoch_ms,
    sessionOf,
    isAlive: (name) => sessions.get(name)?.alive === true,
    observe,
  });
  const view: View = {
    get now_ms() {
      return world.now();
    },
    get holder() {
      return watch.holder();
    },
    spawned_ms,
    windowsOf,
    windowLength: (window) => trial.golden?.windows_ms[window] ?? 0,
  };
  const stage: Stage = { trial, world, watch, view, sessions, pending, observe, site, windowsOf, start, waitFor };

  function observe(observation: Observation) {
    const entry: Entry = { t_ms: Math.round(world.now() * 1000) / 1000, ...observation };
    entries.push(entry);
    windows.observe(entry);
    unsettled.push({ type: 'entry', entry });
  }

  function sessionOf(holder: LockHolder): string | null {
    if (holder.session !== undefined) return sessions.has(holder.session) ? holder.session : null;
    if (holder.pid !== undefined) return [...sessions.values()].findLast(({ pid }) => pid === holder.pid)?.name ?? null;
    return holder.name !== undefined && sessions.has(holder.name) ? holder.name : null;
  }

  function windowsOf(session: string): Window[] {
    const operation = pending.get(session)?.operation;
    return windows.of(session, operation && { ...operation, releasing: operation.lock && trial.lock.releases?.(operation) === true });
  }

  /** The world does not know the lock. */
  function marked(operation: Operation): Operation {
    const { path, to } = operation;
    return { ...operation, lock: trial.lock.covers(path) || (to !== undefined && trial.lock.covers(to)) };
  }

  async function start(member: CastMember, replaces: string | null) {
    const name = `s${sessions.size + 1}`;
    const session: Session = { name, pid: 0, member, alive: true, paused: false, asked: false, reason: null };
    sessions.set(name, session);
    const launch = await trial.launch(name, member);
    session.pid = (await world.start(launch)).pid;
    spawned_ms.set(name, world.now());
    observe({ type: 'spawn', session: name, pid: session.pid, host: launch.host, subject: member.subject ?? facts.subject, replaces });
  }

  function waitFor(place: Place, fire: (moment: Moment) => Promise<void>) {
    waiting.set(arm(place, world.now()), fire);
  }

  function armFault(step: number, fault: Fault) {
    waitFor(fault.where, async (moment) => {
      const name = resolve('session' in fault.where ? fault.where.session : undefined, view) ?? sessionOfMoment(moment);
      const operation = moment.type === 'operation' ? moment.operation : name === null ? undefined : pending.get(name)?.operation;
      const about = {
        step,
        fault: printFault(fault),
        session: name,
        windows: name === null ? [] : windowsOf(name),
        operation: operation ? `${operation.kind} ${operation.path}` : null,
      };
      const report = (phase: FaultPhase, more: { windows?: Window[]; why?: string } = {}) =>
        observe({ type: 'fault', ...about, phase, ...more });
      report('reached');
      const delivery = await deliver(stage, fault.action, name === null ? undefined : sessions.get(name));
      if (delivery.delivered) report('delivered', { windows: delivery.windows ?? about.windows });
      else report('failed', { why: delivery.why });
      const next = plan.faults[step + 1];
      if (next && isRelative(next)) armFault(step + 1, next);
    });
  }

  /** Shows what has happened to every trigger, and fires those that it reaches in the order in which they were armed. */
  async function settle(moment: Moment = { type: 'time' }) {
    unsettled.push(moment);
    for (let next = unsettled.shift(); next; next = unsettled.shift()) {
      // What is armed on the way waits for what comes after.
      const armed = [...waiting];
      for (const [trigger, fire] of armed) {
        if (!isReached(trigger, next, view)) continue;
        waiting.delete(trigger);
        await fire(next);
      }
    }
  }

  /** When the next trigger comes due of itself, or else the deadline. */
  function nextDue(): number {
    return Math.min(facts.deadline_ms, ...[...waiting.keys()].map((trigger) => dueAt(trigger, view) ?? Infinity));
  }

  async function take(happening: Happening) {
    switch (happening.type) {
      case 'before': {
        const { session } = happening;
        const operation = marked(happening.operation);
        const holder = watch.holder();
        pending.set(session, { operation, holder });
        trial.atOperation?.('before', session, operation);
        return settle({ type: 'operation', edge: 'before', session, operation, holder });
      }
      case 'after': {
        const { session } = happening;
        const operation = marked(happening.operation);
        const holder = pending.get(session)?.holder ?? null;
        pending.delete(session);
        observe({ type: 'operation', session, ...operation });
        if (operation.changes && operation.error === undefined) {
          if (operation.lock) await watch.lookAtLock(session);
          else await watch.lookAtState(session);
        }
        trial.atOperation?.('after', session, operation);
        return settle({ type: 'operation', edge: 'after', session, operation, holder });
      }
      case 'line': {
        const line = said(happening.text);
        if (!line) return;
        const session = sessions.get(happening.session);
        if (session && line.say === 'reason') session.reason = line.text;
        observe({ type: 'said', session: happening.session, ...line });
        return settle();
      }
      case 'ended':
        return ended(happening);
      case 'tick': {
        // Under live nobody sees who writes; but when one session alone runs, it can only be that one.
        const running = sessionsAlive(stage).filter(({ paused }) => !paused);
        await watch.look(running.length === 1 ? (running[0]?.name ?? null) : null);
        return settle();
      }
      case 'stuck':
      case 'uncontrolled':
        observe(happening);
        return settle();
      case 'time':
        return settle();
    }
  }

  async function ended({ session: name, code, signal, reason, last_words, last_operation }: Extract<Happening, { type: 'ended' }>) {
    const session = sessions.get(name);
    if (!session) return;
    await watch.look(name);
    session.alive = false;
    pending.delete(name);
    const asked = session.asked && signal === 'SIGKILL';
    const why = session.reason ?? reason;
    const words =
      asked || code === 0 || why !== null || last_words === null ? {} : { last_words: last_words.replaceAll(trial.state, '{state}') };
    const last = last_operation === undefined ? {} : { last_operation };
    observe({ type: 'end', session: name, code, signal, asked, reason: why, ...words, ...last });
    watch.sayUnreadable();
    await settle();
    if (code === 0 || sessionsAlive(stage).length > 0) return;
    if (sessions.size < trial.sessions_max) await start(session.member, name);
    else
      observe({ type: 'given-up', why: `no session finished the work (${sessions.size} of at most ${trial.sessions_max} were started)` });
  }

  // A lock that the campaign's setup left there is no session's.
  await watch.lookAtLock(null);
  for (const member of plan.cast) await start(member, null);
  plan.faults.forEach((fault, step) => {
    if (step === 0 || !isRelative(fault)) armFault(step, fault);
  });
  await settle();

  for (let alive = sessionsAlive(stage); alive.length > 0; alive = sessionsAlive(stage)) {
    if (world.now() >= facts.deadline_ms) {
      observe({ type: 'given-up', why: `the deadline of ${facts.deadline_ms} ms came before the work was done` });
      break;
    }
    const due_ms = nextDue();
    // When everybody is paused, nobody is left to bring about what they wait for.
    if (due_ms === facts.deadline_ms && alive.every(({ paused }) => paused)) for (const session of alive) await wake(stage, session);
    await take(await world.next(due_ms));
  }

  await trial.service?.restored();
  await watch.look(null);
  if (sessionsAlive(stage).length === 0) watch.sayUnreadable();
  observe({ type: 'final', ...watch.reading() });
  return { trial: facts, entries };
}

function isRelative(fault: Fault): boolean {
  return fault.where.at === 'time' && fault.where.since === 'last-fault';
}
