/**
 * Does a few units of work, each an event in a ledger, under a lock that a service keeps. Any number of sessions may be started, at any time; each may be killed or paused anywhere.
 * One of them works at a time, and together they do each unit once.
 *
 *     LOCK=etcd LOCK_URL=http://127.0.0.1:2379 LOCK_NAMESPACE=n LOCK_TTL_MS=2000 node kernel.ts
 *
 * Exits 0 when the work is done, by itself or by others; 3 with the reason `lock-stolen-mid-run` when it was robbed of the lock.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held, Lock, Place } from './lock.ts';

const { LOCK, LOCK_URL = '', LOCK_NAMESPACE = '', CRASH_CAMPAIGN_SESSION = 'one' } = process.env;
const ttlMs = Number(process.env.LOCK_TTL_MS ?? 30_000);
const WINDOWS = 6;
/** The work takes more than one lease, so that it can't be done without renewing it. */
const paceMs = ttlMs / 5;
const pollMs = ttlMs / 20;

/** One line in one write, so that a kill can't cut it in two. */
const say = (what: string) => writeSync(1, `@crash ${what}\n`);

const { open }: { open(place: Place): Promise<Lock> } = await import(`./locks/${LOCK}.ts`);
const lock = await open({ url: LOCK_URL, namespace: LOCK_NAMESPACE, session: CRASH_CAMPAIGN_SESSION, ttlMs });

while (!(await lock.events()).includes('completed')) {
  const held = await lock.acquire();
  if (held) await work(held);
  else await sleep(pollMs);
}
process.exit(0);

/** Does what is left of the work, and releases the lock. Doesn't return when the lock is lost. */
async function work(held: Held): Promise<void> {
  say('point lock.acquired');
  say(`enter ${held.token ?? ''}`);

  let isRobbed = false;
  async function robbed(): Promise<never> {
    if (!isRobbed) {
      isRobbed = true;
      clearInterval(heart);
      say('reason lock-stolen-mid-run');
      say('exit');
      // As in a `finally`: a lock that is another's must not be freed by it. Nor may a service that is out of reach keep it from dying.
      await Promise.race([held.release(), sleep(ttlMs)]);
    }
    process.exit(3);
  }

  async function beat() {
    if (!(await held.renew())) await robbed();
  }
  const heart = setInterval(() => void beat(), ttlMs / 4);

  const done = await lock.events();
  const units = Array.from({ length: WINDOWS }, (_, i) => `window.${i + 1}`);
  for (const id of ['planned', ...units, 'completed'].filter((id) => !done.includes(id))) {
    if (units.includes(id)) await sleep(paceMs);
    if (!(await held.append(id))) await robbed();
    say(`ack ${id}`);
  }
  clearInterval(heart);
  say('exit');
  // Where the work counts only when the lock is given back with it.
  if (!(await held.release()) && !(await lock.events()).includes('completed')) await robbed();
}
