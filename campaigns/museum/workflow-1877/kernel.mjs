/**
 * A durable run of a step and a wait on @workflow/world-local by its public API, as any number of workers may go through it at once: what the log does not have yet is created,
 * and a refusal counts as there. Exits 0 when the run is complete.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: the package is the subject's
import { createLocalWorld } from '@workflow/world-local';

const REFUSALS = ['EntityConflictError', 'RunExpiredError'];
/** As long as the package's own queue waits before it delivers a message again that failed. */
const REDELIVERY_MS = 5000;
const DELIVERIES = 3;
const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';
const run = readFileSync(join(state, 'run-id'), 'utf8');
const world = createLocalWorld({ dataDir: join(state, 'data') });
/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** What the log had when it was loaded, and what has been created since. @type {string[]} */
let known = [];

for (let n = 1; !(await deliver()); n++) {
  if (n === DELIVERIES) process.exit(1);
  await sleep(REDELIVERY_MS);
}

/** Whether it came to the end: what fails is delivered again. The log is loaded once and replayed, as @workflow/core does it. */
async function deliver() {
  try {
    known = [];
    await ensure('run_created', undefined, { deploymentId: 'dpl_local', workflowName: 'order', input: bytes('[7]') });
    await ensure('run_started');
    known = (await world.events.list({ runId: run })).data.map((/** @type {{ eventType: string }} */ { eventType }) => eventType);
    await ensure('step_created', 'step_1', { stepName: 'pack', input: bytes('[]') });
    await ensure('step_started', 'step_1', { stepName: 'pack' });
    await ensure('step_completed', 'step_1', { stepName: 'pack', result: bytes('1') });
    await ensure('wait_created', 'wait_1', { resumeAt: new Date(Date.now() + 100) });
    await sleep(100);
    await ensure('wait_completed', 'wait_1', {});
    await ensure('run_completed', undefined, { output: bytes('"done"') });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} eventType @param {string} [correlationId] @param {object} [eventData] */
async function ensure(eventType, correlationId, eventData) {
  if (known.includes(eventType)) return;
  const about = { ...(correlationId && { correlationId }), ...(eventData && { eventData }) };
  try {
    await world.events.create(run, { eventType, specVersion: world.specVersion, ...about });
  } catch (error) {
    if (!REFUSALS.includes(/** @type {Error} */ (error).name)) throw error;
  }
}
