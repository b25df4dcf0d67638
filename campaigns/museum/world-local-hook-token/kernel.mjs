/** A durable run that makes and disposes of a hook, on @workflow/world-local by its public API: what the log does not have yet is created, and a refusal counts as there. Exits 0 when the run is complete. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: the package is the subject's
import { createWorld } from '@workflow/world-local';

const REFUSALS = ['EntityConflictError', 'RunExpiredError', 'HookNotFoundError'];
const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';
const run = readFileSync(join(state, 'run-id'), 'utf8');
const world = createWorld({ dataDir: join(state, 'data'), recoverActiveRuns: false });
/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

await ensure('run_created', undefined, { deploymentId: 'dpl_local', workflowName: 'order', input: bytes('[7]') });
await ensure('run_started');
await ensure('hook_created', 'hook_1', { token: 'order-7', isWebhook: false });
await ensure('hook_disposed', 'hook_1', { token: 'order-7' });
await ensure('run_completed', undefined, { output: bytes('"done"') });
await world.close?.();

/** @param {string} eventType @param {string} [correlationId] @param {object} [eventData] */
async function ensure(eventType, correlationId, eventData) {
  const { data: log } = await world.events.list({ runId: run, pagination: { sortOrder: 'asc', limit: 100 } });
  if (log.some((/** @type {{ eventType: string }} */ event) => event.eventType === eventType)) return;
  try {
    await world.events.create(run, {
      eventType,
      specVersion: world.specVersion,
      ...(correlationId && { correlationId }),
      ...(eventData && { eventData }),
    });
  } catch (error) {
    if (!REFUSALS.includes(/** @type {Error} */ (error).name)) throw error;
  }
}
