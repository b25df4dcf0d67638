import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ignoring, numbersIn, publishOnce, syncDirectory } from './durable.ts';
import { highestToken, seal } from './ledger.ts';
import { removeWork, workDirectory } from './work.ts';

/**
 * A lock with a lease on a plain file system, without a server and without advisory locks.
 *
 * Every change of the lock (an acquisition, a renewal, the release) is the exclusive creation of the next number in `lock/`: `1.claim`, `2.claim`, …
 * The highest number is what holds. Whoever acts on claim n must be the one that creates n+1, so nobody acts on something that has changed meanwhile.
 *
 * - Against "read, see it expired, write": two contenders see the same expired claim. One creates n+1, the other gets EEXIST.
 * - Against a lease kept in a file of its own, replaced at each renewal: the contender sees the lease expired; the holder wakes and renews it; the
 *   contender creates its claim and robs a holder whose lease is good. Here the renewal *is* n+1, and the contender loses.
 * - Against removing old claims: a contender that saw claim 5 expired sleeps; others come to 9 and remove 5 to 8; it creates 6 and believes itself the holder.
 *   Nothing is removed. A claim is 250 bytes and a holder makes about four in a TTL, which is fair for a finite piece of work.
 */
export interface Claim {
  token: number;
  session: string | null;
  pid: number;
  host: string;
  ttl_ms: number;
  expires_at_ms: number;
  released: boolean;
  /** Whether a takeover by the rules of this holder shuts earlier tokens out of the storage. A thief of the same kind wants to know. */
  seals: boolean;
}

/** The highest claim, or what is known about it when it can't be read. `number` is 0 while there is none. */
export type Seen = { number: number } & Pick<Claim, 'token' | 'expires_at_ms' | 'released'>;

/** What a takeover does to every earlier token, in this order, before the new one writes anything. */
const shutOut: ((state: string, token: number, by: number) => void)[] = [
  // #component seal
  removeWork,
  seal,
  // #end
];

/** Reads the lock. One that can't be read is not a free one: it runs out a TTL after it was last touched. */
export function look(state: string, ttlMs: number): Seen {
  const numbers = numbersIn(join(state, 'lock'), '.claim');
  const number = numbers.at(-1) ?? 0;
  if (number === 0) return { number, token: 0, expires_at_ms: 0, released: true };
  const path = join(state, 'lock', `${number}.claim`);
  const claim = readClaim(path);
  if (claim) return { number, ...claim };
  const before = numbers.map((n) => readClaim(join(state, 'lock', `${n}.claim`))?.token ?? 0);
  const touched = ignoring(['ENOENT'], () => statSync(path).mtimeMs) ?? Date.now();
  // It may have been an acquisition, so its token may be one more than the last that can be read.
  return { number, token: Math.max(...before) + 1, expires_at_ms: touched + ttlMs, released: false };
}

function readClaim(path: string): Claim | null {
  try {
    const claim = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(claim.token) && Number.isFinite(claim.expires_at_ms) ? claim : null;
  } catch {
    return null;
  }
}

/** Whether the lock may be taken over. */
export function isTakeable(seen: Seen): boolean {
  let takeable = seen.released;
  // #component ttl
  takeable ||= Date.now() >= seen.expires_at_ms;
  // #end
  return takeable;
}

export interface Held {
  token: number;
  /** Whether the highest claim is still this session's. */
  isMine(): boolean;
  /** False when somebody else was faster: the lock is lost. */
  renew(): boolean;
  release(): boolean;
}

/**
 * Takes over what was seen, or returns null when another session was faster. On return no earlier token can get anything accepted any more.
 */
export function acquire(state: string, seen: Seen, ttlMs: number): Held | null {
  // A claim that was lost to a disk fault must not make a token come twice: the ledger remembers it.
  const last = Math.max(seen.token, highestToken(state));
  // #component token-advance
  const token = last + 1;
  // #end
  const identity = { session: process.env.CRASH_CAMPAIGN_SESSION ?? null, pid: process.pid, host: hostname(), ttl_ms: ttlMs };
  const work = workDirectory(state, token);
  let number = seen.number;

  const claim = (temporary: string, released: boolean): boolean => {
    const content: Claim = { token, ...identity, expires_at_ms: Date.now() + ttlMs, released, seals: shutOut.length > 0 };
    if (!publishOnce(join(work, temporary), join(state, 'lock', `${number + 1}.claim`), `${JSON.stringify(content)}\n`)) return false;
    number += 1;
    return true;
  };

  // Before the claim, and not after it: a session that claims, sleeps, is robbed and wakes would make the directory anew behind the
  // back of a successor that has finished and tidied up. One that loses the race looks at the lock again, and tidies up itself before it ends.
  ignoring(['EEXIST'], () => mkdirSync(work));
  if (!claim(`${randomUUID()}.claim`, false)) return null;
  // A token that a power cut takes back would be given out twice.
  syncDirectory(join(state, 'lock'));
  // From 0, which is nobody's, so that the first acquisition too is complete with a seal and not before.
  for (let earlier = 0; earlier < token; earlier++) for (const step of shutOut) step(state, earlier, token);
  syncDirectory(join(state, 'ledger'));

  return {
    token,
    isMine: () => numbersIn(join(state, 'lock'), '.claim').at(-1) === number,
    // A renewal or a release that a power cut takes back leaves a shorter lease, which is safe: no directory is synced.
    renew: () => claim('renew.claim', false),
    release: () => claim('release.claim', true),
  };
}
