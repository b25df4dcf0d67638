/**
 * Any number of sessions append six lines to one ledger, each line once, under a lock of the npm package proper-lockfile.
 * Exits 0 when the ledger is full; 3 with the reason `lock-stolen-mid-run` when the package says that the lock was lost.
 */
import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

const LINES = 6;
const PACE_MS = 200;

const ledger = join(process.env.CRASH_CAMPAIGN_STATE, 'ledger');
const session = process.env.CRASH_CAMPAIGN_SESSION;

/** One line in one write, so that a kill can't cut it in two. */
const say = (what) => writeSync(1, `@crash ${what}\n`);

const release = await lockfile.lock(ledger, {
  realpath: false,
  stale: Number(process.env.STALE_MS),
  update: 1000,
  retries: { retries: 100_000, factor: 1, minTimeout: 100, maxTimeout: 100 },
  onCompromised() {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  },
});
say('enter');

/** Ends a line that a killed session left half-written, so that the next one is not glued to it. */
const written = () => (existsSync(ledger) ? readFileSync(ledger, 'utf8') : '');
if (!/^$|\n$/.test(written())) appendFileSync(ledger, '\n');

const lines = written().split('\n').filter(isLine);
for (let n = lines.length; n < LINES; n++) {
  appendFileSync(ledger, `${n} ${session} .\n`);
  say(`ack ${n}`);
  await sleep(PACE_MS);
}
say('exit');
await release();

/** One that was torn lacks its full stop. */
function isLine(line) {
  return line.endsWith(' .');
}
