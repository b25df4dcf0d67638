/**
 * Works off four jobs of better-queue that are kept in SQLite, each into a line of a ledger, and goes on where a dead session stopped. Exits 0 when all are done; 4 when the queue says that nothing is
 * left, and a job is in it.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
// @ts-expect-error: the package is the subject's
import Queue from 'better-queue';
// @ts-expect-error: the package is the subject's
import Store from 'better-queue-sqlite';

const JOBS = ['job-1', 'job-2', 'job-3', 'job-4'];
const WORK_MS = 100;
const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';
const database = join(state, 'jobs.sqlite');
const ledger = join(state, 'ledger');
const filled = join(state, 'filled');

// Jobs are put in once. Who dies before that is finished leaves nothing that counts.
const isFilled = existsSync(filled);
if (!isFilled) rmSync(database, { force: true });
const store = new Store({ path: database });
const queue = new Queue(work, { store });
queue.on('drain', lookForJobs);
if (!isFilled) await fill();

async function fill() {
  queue.pause();
  const queued = JOBS.map((id) => new Promise((resolve) => queue.push({ id }).on('queued', resolve)));
  await Promise.all(queued);
  // It answers when everything before it is written.
  await promisify(store.getTask.bind(store))('');
  writeFileSync(filled, '');
  queue.resume();
}

/** Doing it again adds nothing, so that a job may be delivered twice. @param {{ id: string }} job @param {() => void} done */
async function work({ id }, done) {
  await sleep(WORK_MS);
  if (!finished().includes(id)) appendFileSync(ledger, `${id}\n`);
  done();
  if (finished().length === JOBS.length) process.exit(0);
}

async function lookForJobs() {
  for (const id of JOBS) {
    if ((await promisify(store.getTask.bind(store))(id)) === undefined) continue;
    writeSync(1, `@crash reason a job is in the queue, which says that it is empty\n`);
    process.exit(4);
  }
}

function finished() {
  return existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
}
