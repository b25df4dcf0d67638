/**
 * One durable run on the real @workflow/world-local, by its public API and as @workflow/core drives it: the log is loaded and replayed, what it does not have yet is created, and a refusal as
 * "already there" counts as there. Nothing is kept but in the library's data directory. Exits 0 when the run is complete and everything that can be asked of the library agrees with that;
 * 4 with a reason when it can't be completed, 5 when the library's answers contradict each other.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: the package is the subject's
import * as library from '@workflow/world-local';

/** What of an event is used here. */
interface Event {
  eventType: string;
  correlationId?: string;
  eventData?: Record<string, unknown>;
}

const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';
/** As whoever wants the run made has it: the id is the client's, so that to ask again is to ask for the same. */
const RUN = readFileSync(join(state, 'run-id'), 'utf8');
const TOKEN = 'order-7';
/** As long as the library's own queue waits before it delivers a message again that failed. */
const REDELIVERY_MS = 5000;
/** So often a message is delivered in vain before the session gives up. The real queue stops after 48, which is the same for who waits. */
const DELIVERIES_MAX = 2;

const dataDir = join(state, 'data');
const bytes = (text: string) => new TextEncoder().encode(text);

const world = (library.createWorld ?? library.createLocalWorld)({ dataDir, recoverActiveRuns: false });

/** The log as it was loaded last. */
let log: Event[] = [];
let inVain = 0;
let problem = 'nothing was created';
while (true) {
  const known = progress();
  try {
    if ((await deliver()) === 'finished') break;
  } catch (error) {
    const { name, message } = error as Error;
    problem = name === 'SyntaxError' ? 'a file of the library is no JSON' : `${name}: ${message}`;
    inVain += 1;
    if (inVain > DELIVERIES_MAX) give(4, problem);
    await sleep(REDELIVERY_MS);
    continue;
  }
  inVain = progress() > known ? 0 : inVain + 1;
  if (inVain > DELIVERIES_MAX) give(4, `no progress: ${problem}`);
  if (inVain > 0) await sleep(REDELIVERY_MS);
}
await audit();

/** How far the log has come. That a step was started once more is none. */
function progress(): number {
  return log.filter(({ eventType }) => eventType !== 'step_started').length;
}

/** One invocation of the workflow: as far as it comes. */
async function deliver(): Promise<'finished' | 'suspended'> {
  await library.initDataDir(dataDir);
  if (!(await runExists()))
    await create('run_created', undefined, { deploymentId: 'dpl_local', workflowName: 'order', input: bytes('[7]') });
  const started = await create('run_started');
  if (started === 'refused') return 'finished';
  log = started?.events?.length > 0 && !started.hasMore ? started.events : await load();
  if (has('run_completed')) return 'finished';
  for (const { correlationId, eventData } of log.filter(({ eventType }) => eventType === 'wait_created'))
    if (!has('wait_completed', correlationId) && Date.now() >= +resumeAt(eventData))
      await create('wait_completed', correlationId, { resumeAt: resumeAt(eventData) });
  log = await load();
  return workflow();
}

/** Returns where it must wait for something that is not in the log yet; its caller delivers it again. */
async function workflow(): Promise<'finished' | 'suspended'> {
  await ensure('hook_created', 'hook_1', { token: TOKEN, metadata: bytes('1'), isWebhook: false });
  if (!(await step('step_1'))) return 'suspended';
  await ensure('wait_created', 'wait_1', { resumeAt: new Date(Date.now() + 2000) });
  if (!has('wait_completed', 'wait_1')) {
    log = await load();
    const wait = log.find(({ eventType }) => eventType === 'wait_created');
    problem = wait === undefined ? 'wait_created is refused, and not in the log' : 'wait_completed is not in the log';
    if (wait) await sleep(Math.max(0, +resumeAt(wait.eventData) - Date.now()));
    return 'suspended';
  }
  if (!has('hook_received', 'hook_1')) {
    await resume();
    return 'suspended';
  }
  await ensure('hook_disposed', 'hook_1', { token: TOKEN });
  await ensure('hook_created', 'hook_2', { token: TOKEN, metadata: bytes('2'), isWebhook: false });
  if (!(await step('step_2'))) return 'suspended';
  await create('run_completed', undefined, { output: bytes('"done"') });
  log = await load();
  if (has('run_completed')) return 'finished';
  problem = 'run_completed is refused, and not in the log';
  return 'suspended';
}

/** Whether the step is complete, by the log. */
async function step(id: string): Promise<boolean> {
  if (has('step_completed', id)) return true;
  await ensure('step_created', id, { stepName: id, workflowName: 'order', input: bytes('[]') });
  const started = await create('step_started', id, { stepName: id });
  if (started !== 'refused') await create('step_completed', id, { stepName: id, result: bytes('1') });
  log = await load();
  if (has('step_completed', id)) return true;
  problem = `${id} is refused as finished, and not so in the log`;
  return false;
}

/** What somebody outside does who knows the token, and who looks for what became of it before doing so again. */
async function resume() {
  const hook = await world.hooks.getByToken(TOKEN);
  if (hook.runId !== RUN) throw new Error(`the token leads to another run`);
  await create('hook_received', hook.hookId, { token: TOKEN, payload: bytes('"paid"') });
  log = await load();
  problem = 'hook_received is not in the log of the hook that waits for it';
}

async function ensure(eventType: string, correlationId: string, eventData: Event['eventData']) {
  if (!has(eventType, correlationId)) await create(eventType, correlationId, eventData);
}

/**
 * Resolves when the library says that the event is there: with its result, or with `refused` for the errors that @workflow/core takes for that.
 * What else it throws goes to the queue, which delivers the message again.
 */
async function create(eventType: string, correlationId?: string, eventData?: Event['eventData']) {
  try {
    const data = { eventType, specVersion: world.specVersion, ...(correlationId && { correlationId }), ...(eventData && { eventData }) };
    const result = await world.events.create(RUN, data, { eventCount: log.length });
    const { event } = result;
    if (event?.eventType === 'hook_conflict') throw new Error(`hook_conflict: the token of ${correlationId} is taken`);
    if (event) say(`ack ${[event.eventType, event.correlationId].filter(Boolean).join(' ')}`);
    return result;
  } catch (error) {
    const isThere = ['EntityConflictError', 'RunExpiredError', ...(eventType === 'hook_disposed' ? ['HookNotFoundError'] : [])];
    const { name } = error as Error;
    if (!isThere.includes(name)) throw error;
    problem = `${eventType} ${correlationId ?? ''}: ${name}`;
    return 'refused';
  }
}

async function runExists() {
  const active: { runId: string }[] = [];
  for (const status of ['pending', 'running']) active.push(...(await world.runs.list({ status, resolveData: 'none' })).data);
  if (active.some(({ runId }) => runId === RUN)) return true;
  return world.runs.get(RUN).then(
    () => true,
    (error: Error) => {
      if (error.name === 'WorkflowRunNotFoundError' || /not found/i.test(error.message)) return false;
      throw error;
    },
  );
}

function resumeAt(eventData: Event['eventData']): Date {
  return new Date(eventData?.resumeAt as string);
}

async function load(): Promise<Event[]> {
  return (await world.events.list({ runId: RUN, pagination: { sortOrder: 'asc', limit: 1000 } })).data;
}

function has(eventType: string, correlationId?: string): boolean {
  return log.some((event) => event.eventType === eventType && (correlationId === undefined || event.correlationId === correlationId));
}

/** Entities are views of the log: whoever asks for them when the run is over must be told what the log says. */
async function audit() {
  const run = await world.runs.get(RUN);
  if (run.status !== 'completed') give(5, `the run is ${run.status}, and the log has run_completed`);
  for (const { stepId, status } of (await world.steps.list({ runId: RUN })).data)
    if (status !== 'completed') give(5, `${stepId} is ${status}, and the log has step_completed`);
  const hooks = (await world.hooks.list({ runId: RUN })).data;
  if (hooks.length > 0) give(5, `${hooks.map(({ hookId }: { hookId: string }) => hookId).join(' and ')} left by a run that is complete`);
  const left = await world.hooks.getByToken(TOKEN).catch(() => null);
  if (left) give(5, `the token leads to ${left.hookId} of a run that is complete`);
  await world.close?.();
}

function give(code: number, reason: string): never {
  // What a message quotes differs from crash to crash where the error is the same.
  say(
    `reason ${reason
      .replaceAll(RUN, 'the run')
      .replaceAll(dataDir, 'data')
      .replaceAll(/"[^"]*"/g, '"…"')}`,
  );
  process.exit(code);
}

/** One line in one write, so that a kill can't cut it in two. */
function say(what: string) {
  writeSync(1, `@crash ${what}\n`);
}
