/**
 * Any number of sessions fill one ledger with six lines, each line once, two at a time, under a lock of the npm package proper-lockfile.
 * Exits 0 when the ledger is full; 3 with the reason `lock-stolen-mid-run` when the package says that the lock was lost.
 */
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error: the package brings no types
import lockfile from 'proper-lockfile';

const LINES = 6;
const LINES_A_HOLD = 2;
const PACE_MS = 200;

const ledger = join(process.env.CRASH_CAMPAIGN_STATE ?? '.', 'ledger');
const session = process.env.CRASH_CAMPAIGN_SESSION;

const options = {
  realpath: false,
  stale: Number(process.env.STALE_MS),
  update: 1000,
  retries: { retries: 100_000, factor: 1, minTimeout: 100, maxTimeout: 100 },
  onCompromised() {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  },
};

while (written() < LINES) {
  const release = await lockfile.lock(ledger, options);
  say('enter');
  endTornLine();
  const first = written();
  for (let n = first; n < Math.min(first + LINES_A_HOLD, LINES); n++) {
    appendFileSync(ledger, `${n} ${session} .\n`);
    say(`ack ${n}`);
    await sleep(PACE_MS);
  }
  say('exit');
  await release();
}

/** One line in one write, so that a kill can't cut it in two. @param {string} what */
function say(what) {
  writeSync(1, `@crash ${what}\n`);
}

function read() {
  return existsSync(ledger) ? readFileSync(ledger, 'utf8') : '';
}

/** A line that was torn lacks its full stop. */
function written() {
  return read()
    .split('\n')
    .filter((line) => line.endsWith(' .')).length;
}

/** So that the next line is not glued to what a killed session left half-written. */
function endTornLine() {
  if (!/^$|\n$/.test(read())) appendFileSync(ledger, '\n');
}
