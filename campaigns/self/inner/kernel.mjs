// Appends three events under a lock with a lease, and goes on where a dead session stopped. On the real clock each session starts something that does not end with it.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { CRASH_CAMPAIGN_STATE: state = '', CRASH_CAMPAIGN_SESSION: session, SELF_DRIVER: driver } = process.env;
const ttl_ms = Number(process.argv[2]);
const [lock, ledger] = [join(state, 'lock'), join(state, 'ledger')];

const holder = () => (existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')) : null);

function hold() {
  writeFileSync(`${lock}.${session}`, JSON.stringify({ session, expires_at_ms: Date.now() + ttl_ms }));
  renameSync(`${lock}.${session}`, lock);
}

if (driver === 'live') spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
for (let held = holder(); held && held.expires_at_ms > Date.now(); held = holder()) await sleep(ttl_ms / 20);
hold();
const written = () => (existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').length - 1 : 0);
const first = written();
for (let n = first; n < 3; n += 1) {
  if (holder()?.session !== session) {
    process.stdout.write('@crash reason robbed\n');
    process.exit(1);
  }
  appendFileSync(ledger, `${n} ${session}\n`);
  await sleep(ttl_ms / 20);
}
rmSync(lock);
