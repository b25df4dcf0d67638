/**
 * What a harness does with its run directory, and nothing else of it: takes the lock, takes the files over, appends the records that are not there yet, and publishes `run.json`
 * at the beginning and at the end. Its trials are numbers.
 *
 *     node campaigns/run-directory/kernel.ts <run directory>
 *
 * Exits 0 when the run is finished, by itself or by others; 3 when it was robbed of the lock.
 */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunHeldError, RunLostError } from '../../src/campaign-run/run-errors.ts';
import { acquireRunLock, type RunLock } from '../../src/campaign-run/run-lock.ts';
import { openRunStore } from '../../src/campaign-run/run-store.ts';

const directory = process.argv[2] ?? '';
const ttlMs = Number(process.env.RUN_TTL_MS);
const TRIALS = Number(process.env.RUN_TRIALS ?? 6);
/** The time that one trial takes: a whole run takes longer than a lease. */
const trialMs = ttlMs / 4;

/** One line in one write, so that a kill can't cut it in two. */
const say = (what: string) => writeSync(1, `@crash ${what}\n`);

/** The harness of a user would give up; this one waits for its turn, so that there is something to contend for. */
async function acquire(): Promise<RunLock> {
  for (;;) {
    try {
      return await acquireRunLock(directory, { ttlMs });
    } catch (error) {
      if (!(error instanceof RunHeldError)) throw error;
      await sleep(ttlMs / 25);
    }
  }
}

function isFinished(): boolean {
  try {
    return JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')).finished;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function run(): Promise<void> {
  const lock = await acquire();
  const store = await openRunStore(directory, lock);
  say('point lock.acquired');
  say(`enter ${lock.token}`);
  const by = { session: process.env.CRASH_CAMPAIGN_SESSION, token: lock.token };
  const publish = (finished: boolean) => store.publish('run.json', `${JSON.stringify({ finished, ...by })}\n`);
  if (!isFinished()) {
    await publish(false);
    const lines = readFileSync(join(directory, 'trials.ndjson'), 'utf8').split('\n').slice(0, -1);
    const done = new Set(lines.map((line) => JSON.parse(line).trial));
    for (let trial = 1; trial <= TRIALS; trial++) {
      if (done.has(trial)) continue;
      await sleep(trialMs);
      await store.append(JSON.stringify({ trial, digest: trial ** 2, ...by }));
      say(`ack trial:${trial}`);
    }
    await publish(true);
    say('ack finished');
  }
  await store.close();
  say('exit');
  lock.release();
}

try {
  await run();
} catch (error) {
  if (!(error instanceof RunLostError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 3;
}
