/** Appends three lines of its own to a ledger that any number of sessions share, under a lock of the npm package lockfile. Exits 0 when they are written. */
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
// @ts-expect-error: the package brings no types
import lockfile from 'lockfile';

const LINES = 3;
const state = process.env.CRASH_CAMPAIGN_STATE ?? '.';
const stale = Number(process.env.STALE_MS);
const path = join(state, 'ledger.lock');
const session = process.env.CRASH_CAMPAIGN_SESSION;

while (!(await isLocked())) await sleep(100);
say('enter');
for (let n = 1; n <= LINES; n++) {
  appendFileSync(join(state, 'ledger'), `${session}.${n} ${session} .\n`);
  say(`ack ${session}.${n}`);
  // All of it takes less than half of the time after which a lock is stale: the package does not renew it.
  await sleep(stale / 8);
}
say('exit');
await promisify(lockfile.unlock)(path);

async function isLocked() {
  try {
    await promisify(lockfile.lock)(path, { stale });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** One line in one write, so that a kill can't cut it in two. @param {string} what */
function say(what) {
  writeSync(1, `@crash ${what}\n`);
}
