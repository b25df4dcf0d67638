/**
 * A durable session: it takes part in a run, drives it while the session lease is its own, and ends when the run is complete. Any number of them may be
 * started on one state directory, at any time; each may be killed anywhere.
 *
 *     node session.ts <state directory>
 *
 * Exits 0 when the run is complete, by whomever; 3 with the reason `lock-stolen-mid-run` when its fence lock was taken from it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FenceLock, say } from './fence-lock.ts';
import { named } from './locks/named.ts';
import { ownerFile } from './locks/owner-file.ts';
import { unnamed } from './locks/unnamed.ts';
import { type Lease, openRun } from './run.ts';

const STEPS = 6;
/** What a step of the run takes. */
const WORK_MS = 1000;
/** How often a session that does not drive the run looks whether it may. */
const POLL_MS = 500;

const state = process.argv[2] ?? '.';
const session = process.env.CRASH_CAMPAIGN_SESSION ?? `pid-${process.pid}`;
const stale_ms = Number(process.env.STALE_MS);
/** A session renews its lease with each of its writes. */
const lease_ms = stale_ms / 2;

const LOCKS: Record<string, FenceLock> = { unnamed, named, 'owner-file': ownerFile };
const makeLock = LOCKS[process.env.FENCE_LOCK ?? ''];
if (!makeLock) throw new Error(`FENCE_LOCK is ${process.env.FENCE_LOCK}: give one of ${Object.keys(LOCKS).join(', ')}`);

const run = openRun(state, session, makeLock, {
  stale_ms,
  onLost() {
    say('reason lock-stolen-mid-run');
    process.exit(3);
  },
});

const isOver = (lease: Lease | null) => lease === null || lease.until_ms <= Date.now();
const mine = (): Lease => ({ session, until_ms: Date.now() + lease_ms });

const worked = new Set<string>();
for (let held = run.read(); !held.facts.has('completed'); held = run.read()) {
  const step = Array.from({ length: STEPS }, (_, i) => `step:${i + 1}`).find((name) => !held.facts.has(name));
  if (!held.facts.has(`attached:${session}`)) {
    await run.write(`attached:${session}`, held, (lease) => lease);
  } else if (held.lease?.session !== session) {
    if (isOver(held.lease)) await run.write(`leased:${session}`, held, (lease) => (isOver(lease) ? mine() : undefined));
    else await sleep(POLL_MS);
  } else if (step !== undefined) {
    if (!worked.has(step)) await sleep(WORK_MS);
    worked.add(step);
    await run.write(step, held, (lease) => (lease?.session === session ? mine() : undefined));
  } else {
    await run.write('completed', held, (lease) => (lease?.session === session ? null : undefined));
  }
}
