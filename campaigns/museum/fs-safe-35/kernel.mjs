/** Appends three lines of its own to a ledger that any number of sessions share, under a lock of the npm package @openclaw/fs-safe. Exits 0 when they are written. */
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-ignore: it is installed for the subjects alone
import { acquireFileLock } from '@openclaw/fs-safe/file-lock';

const LINES = 3;
const ledger = join(process.env.CRASH_CAMPAIGN_STATE ?? '.', 'ledger');
const staleMs = Number(process.env.STALE_MS);
const session = process.env.CRASH_CAMPAIGN_SESSION;

const lock = await acquireFileLock(ledger, {
  staleMs,
  // Whoever has not given the lock back by then is dead: nobody here works for so long.
  staleRecovery: 'remove-if-unchanged',
  shouldRemoveStaleLock: () => true,
  retry: { factor: 1, minTimeout: 100, maxTimeout: 100 },
  payload: () => ({ session, createdAt: new Date().toISOString() }),
});
say('enter');
for (let n = 1; n <= LINES; n++) {
  appendFileSync(ledger, `${session}.${n} ${session} .\n`);
  say(`ack ${session}.${n}`);
  await sleep(staleMs / 8);
}
say('exit');
await lock.release();

/** One line in one write, so that a kill can't cut it in two. @param {string} what */
function say(what) {
  writeSync(1, `@crash ${what}\n`);
}
