import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, look as lookAtProcess, type Process } from '../driver/live/processes.ts';
import { machineName } from '../driver/workspace.ts';
import { RunHeldError, RunLostError } from './run-errors.ts';

/** A harness that has not renewed its lease for so long is taken for dead, unless it can be seen to live. */
export const RUN_TTL_MS = 30_000;

/**
 * The lock of a run directory: each change of it (an acquisition, a renewal, the release) is the exclusive creation of the next `lock/<n>.claim`, and the highest
 * number is what holds. The number of an acquisition is its fencing token.
 *
 * It is the lock of the ingest campaign, whose argument holds here too, but for one thing: old claims are removed, since a run may take a night. A contender that saw claim 5
 * expired, slept, and creates 6 when others have come to 9 and removed it finds 9 when it looks again, as everybody does who has created a claim: the highest is never removed.
 * The one below it is left too, so that a look that takes long can't miss both the claim that has just come and the one that has just gone.
 *
 * What a robbed holder writes late is shut out by the storage: see run-store.ts.
 */
interface Claim {
  token: number;
  session: string | null;
  pid: number;
  host: string;
  /** With pid and start time: which process it is, for whoever is on the same machine. */
  machine: string;
  start_ticks: number;
  ttl_ms: number;
  expires_at_ms: number;
  released: boolean;
  /** Whether its holder has taken the files over, so that none of its predecessors can write any more: until then the lock has not changed hands. */
  open: boolean;
}

/** The highest claim; null when it can't be read. `number` is 0 while there is none. */
interface Seen {
  number: number;
  claim: Claim | null;
  takeable: boolean;
}

export interface RunLock {
  token: number;
  /** Throws a RunLostError when another harness has taken the run directory over. To be called before everything that is to last, and behind it before it is told. */
  check(): void;
  /** Says that the files have been taken over. */
  open(): void;
  /** Ends the lease, if it is still this harness's. */
  release(): void;
}

/**
 * Takes the lock of a run directory. One that is left behind by a process that is dead beyond doubt is taken over at once; one whose holder can't be seen from here, when its lease has run out.
 * The lease is renewed until the lock is released.
 * @param onWait Told once, when there is a lease to be waited for.
 * @throws {RunHeldError} When its holder lives.
 */
export async function acquireRunLock(
  runDirectory: string,
  { ttlMs = RUN_TTL_MS, onWait }: { ttlMs?: number; onWait?: (ms: number) => void } = {},
): Promise<RunLock> {
  const directory = join(runDirectory, 'lock');
  mkdirSync(directory, { recursive: true });
  syncDirectory(runDirectory);
  let waitsFor: Seen | null = null;
  for (;;) {
    const seen = lookAtLock(directory, ttlMs);
    if (seen.takeable) {
      const lock = claimLock(runDirectory, seen.number, ttlMs);
      if (lock) return lock;
      continue;
    }
    const expires_at_ms = expiryOf(directory, seen, ttlMs);
    // It was renewed while we waited: whoever did that lives.
    if (isSeenAlive(seen.claim) || (waitsFor && waitsFor.number !== seen.number)) throw new RunHeldError(runDirectory, seen.claim);
    const left_ms = Math.max(1, expires_at_ms - Date.now());
    if (!waitsFor) onWait?.(left_ms);
    waitsFor = seen;
    await sleep(Math.min(left_ms, ttlMs / 20));
  }
}

function lookAtLock(directory: string, ttlMs: number): Seen {
  const number = claimNumbers(directory).at(-1) ?? 0;
  const claim = number === 0 ? null : readClaim(directory, number);
  if (claim === 'gone') return lookAtLock(directory, ttlMs);
  const seen = { number, claim, takeable: false };
  if (number === 0 || claim?.released) return { ...seen, takeable: true };
  if (claim && isSeenDead(claim)) return { ...seen, takeable: true };
  if (Date.now() >= expiryOf(directory, seen, ttlMs)) return { ...seen, takeable: true };
  return seen;
}

/** A claim that can't be read is not a free lock: it runs out a TTL after it was last touched. */
function expiryOf(directory: string, { number, claim }: Pick<Seen, 'number' | 'claim'>, ttlMs: number): number {
  if (claim) return claim.expires_at_ms;
  return (statSync(join(directory, `${number}.claim`), { throwIfNoEntry: false })?.mtimeMs ?? 0) + ttlMs;
}

function isSeenDead({ machine, pid, start_ticks }: Claim): boolean {
  return machine === machineName() && hasEnded({ pid, startTicks: start_ticks });
}

function isSeenAlive(claim: Claim | null): boolean {
  return claim !== null && claim.machine === machineName() && !isSeenDead(claim);
}

/** Null when another harness was faster. */
function claimLock(runDirectory: string, after: number, ttlMs: number): RunLock | null {
  const directory = join(runDirectory, 'lock');
  const own = lookAtProcess('self') as Process;
  const identity = {
    // In a campaign that tests this lock.
    session: process.env.CRASH_CAMPAIGN_SESSION ?? null,
    pid: own.pid,
    host: hostname(),
    machine: machineName(),
    start_ticks: own.startTicks,
    ttl_ms: ttlMs,
  };
  const who = `${identity.machine}-${own.pid}-${own.startTicks}`;
  const token = after + 1;
  let number = after;
  let open = false;
  let failure: Error | null = null;

  function claim(what: 'acquire' | 'renew' | 'release'): boolean {
    const content: Claim = { token, ...identity, expires_at_ms: Date.now() + ttlMs, released: what === 'release', open };
    if (!publishOnce(join(directory, `${who}.${what}`), join(directory, `${number + 1}.claim`), `${JSON.stringify(content)}\n`))
      return false;
    number += 1;
    // A claim that a power cut took back would be given out twice, and those below it are about to go.
    syncDirectory(directory);
    if (!isMine()) return false;
    for (const earlier of claimNumbers(directory)) if (earlier < number - 1) rmSync(join(directory, `${earlier}.claim`), { force: true });
    return true;
  }

  const isMine = () => claimNumbers(directory).at(-1) === number;

  function renew() {
    try {
      if (isMine()) claim('renew');
    } catch (error) {
      // On a full disk no lease can be renewed. It is told where the next record would be written.
      failure = error as Error;
    }
  }

  if (!claim('acquire')) return null;
  // What harnesses that were killed have prepared, and what others that want the lock are preparing: they will see that they were not the first.
  for (const name of readdirSync(directory)) if (!name.endsWith('.claim')) rmSync(join(directory, name), { force: true });
  const heart = setInterval(renew, ttlMs / 4).unref();
  return {
    token,
    check() {
      if (failure) throw failure;
      if (!isMine()) throw new RunLostError(runDirectory, token);
    },
    open() {
      open = true;
      claim('renew');
    },
    release() {
      clearInterval(heart);
      try {
        if (isMine()) claim('release');
      } catch {
        // On a full disk a lease can't even be ended; it is seen to be a dead process's, or runs out.
      }
    },
  };
}

/** The claim; null when it can't be read; `gone` when its holder has renewed it meanwhile. */
function readClaim(directory: string, number: number): Claim | null | 'gone' {
  try {
    const claim = JSON.parse(readFileSync(join(directory, `${number}.claim`), 'utf8'));
    return Number.isSafeInteger(claim?.token) && Number.isFinite(claim?.expires_at_ms) ? claim : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null;
  }
}

/** Ascending. */
function claimNumbers(directory: string): number[] {
  return readdirSync(directory)
    .flatMap((name) => /^(\d+)\.claim$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Gives complete data a name that must not exist yet, and says whether this call was the one that did. A link appears whole or not at all. */
function publishOnce(temporary: string, path: string, data: string): boolean {
  try {
    const fd = openSync(temporary, 'w');
    try {
      writeFileSync(fd, data);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    linkSync(temporary, path);
    return true;
  } catch (error) {
    // ENOENT: whoever holds the lock has tidied up.
    if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
