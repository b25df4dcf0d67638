/**
 * Appends three lines of its own to a ledger that any number of sessions share, under the lock that LOCK names. Exits 0 when they are written; 3 with the reason `lock-stolen-mid-run` when its lock
 * says that it was lost.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LINES = 3;
const PACE_MS = 200;

const { acquire } = await import(`./locks/${process.env.LOCK}.mjs`);
const ledger = join(process.env.CRASH_CAMPAIGN_STATE ?? '.', 'ledger');
const session = process.env.CRASH_CAMPAIGN_SESSION ?? '';

const release = await acquire(`${ledger}.lock`, {
  session,
  stale_ms: Number(process.env.STALE_MS),
  onLost() {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  },
});
say('enter');
endTornLine();
for (let n = 1; n <= LINES; n++) {
  append(`${session}.${n} ${session} .\n`);
  say(`ack ${session}.${n}`);
  await sleep(PACE_MS);
}
say('exit');
await release();

/** One line in one write, so that a kill can't cut it in two. @param {string} what */
function say(what) {
  writeSync(1, `@crash ${what}\n`);
}

/** Durable when it returns, the file's name included: what a power cut takes is the lock's own. @param {string} text */
function append(text) {
  const isNew = !existsSync(ledger);
  const file = openSync(ledger, 'a');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  if (!isNew) return;
  const folder = openSync(dirname(ledger), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** So that the next line is not glued to what a killed session left half-written. */
function endTornLine() {
  const written = existsSync(ledger) ? readFileSync(ledger, 'utf8') : '';
  if (written !== '' && !written.endsWith('\n')) append('\n');
}
