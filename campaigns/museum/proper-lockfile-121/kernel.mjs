/**
 * Appends three lines of its own to a ledger that any number of sessions share, under a lock of the npm package proper-lockfile.
 * Exits 0 when they are written; 3 with the reason `lock-stolen-mid-run` when the package says that the lock was lost.
 */
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: the package brings no types
import lockfile from 'proper-lockfile';

const LINES = 3;
const ledger = join(process.env.CRASH_CAMPAIGN_STATE ?? '.', 'ledger');
const stale = Number(process.env.STALE_MS);
const session = process.env.CRASH_CAMPAIGN_SESSION;

const release = await lockfile.lock(ledger, {
  realpath: false,
  stale,
  update: 1000,
  retries: { retries: 100_000, factor: 1, minTimeout: 100, maxTimeout: 100 },
  onCompromised() {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  },
});
say('enter');
for (let n = 1; n <= LINES; n++) {
  appendFileSync(ledger, `${session}.${n} ${session} .\n`);
  say(`ack ${session}.${n}`);
  await sleep(stale / 8);
}
say('exit');
await release();

/** One line in one write, so that a kill can't cut it in two. @param {string} what */
function say(what) {
  writeSync(1, `@crash ${what}\n`);
}
