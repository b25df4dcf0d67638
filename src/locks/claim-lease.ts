import { readdirSync, readFileSync, rmSync, statSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockState } from './lock.ts';

/** Where the lock's files lie, relative to the state directory. */
export interface ClaimLeaseDirectories {
  /** `<n>.claim`: the lock's changes, numbered. */
  lock: string;
  /** `<token>.jsonl`, what a token wrote, and `<token>.seal`, how much of it is accepted. */
  ledger: string;
  /** `<token>/`, where a token makes its files. */
  work: string;
}

interface Claim {
  token: number;
  session?: string | null;
  name?: string;
  pid?: number;
  host?: string;
  ttl_ms: number;
  expires_at_ms: number;
  released: boolean;
  seals: boolean;
}

/**
 * The lock of the ingest kernel: each change of it is the exclusive creation of the next `<n>.claim`, and the highest holds. A holder whose
 * claim says `seals` shuts every earlier token out of the storage before it works: it removes `work/<token>` and publishes `<token>.seal` for each, in ascending order.
 *
 * Such a lock changes hands with the last seal, and not with the claim: until then a line of the robbed holder may still be accepted,
 * afterwards none. A claim whose seals are not complete holds nothing yet.
 */
export function claimLease(directories: ClaimLeaseDirectories = { lock: 'lock', ledger: 'ledger', work: 'work' }) {
  const { lock, ledger, work } = directories;
  const claimPath = (state: string, number: number) => join(state, lock, `${number}.claim`);
  const sealPath = (state: string, token: number) => join(state, ledger, `${token}.seal`);
  const highest = (state: string) => Math.max(0, ...numbersIn(join(state, lock), '.claim'));

  function shutOut(state: string, token: number) {
    rmSync(join(state, work, String(token)), { recursive: true, force: true });
    if (statSync(sealPath(state, token), { throwIfNoEntry: false })) return;
    writeFileSync(sealPath(state, token), `${JSON.stringify({ length: wholeLines(join(state, ledger, `${token}.jsonl`)) })}\n`, {
      flag: 'wx',
    });
  }

  return {
    kind: 'claim-lease',

    covers(path) {
      const [first, second, third] = path.split('/');
      if (first === lock) return true;
      if (first === ledger) return second?.endsWith('.seal') === true;
      return first === work && (third === undefined || third.endsWith('.claim') || third.endsWith('.seal'));
    },

    // The claim that releases is prepared under this name.
    releases: ({ path }) => path.endsWith('/release.claim'),

    inspect({ state }): LockState {
      for (let number = highest(state); number > 0; number--) {
        const claim = readClaim(claimPath(state, number));
        if (typeof claim === 'string') return { is: 'unreadable', why: `${lock}/${number}.claim: ${claim}` };
        const complete = !claim.seals || statSync(sealPath(state, claim.token - 1), { throwIfNoEntry: false }) !== undefined;
        if (complete) return stateOf(claim);
      }
      return { is: 'free' };
    },

    steal({ state, now_ms, ttl_ms }) {
      const number = highest(state);
      const tokens = numbersIn(join(state, ledger), '.jsonl');
      let seals = false;
      for (let n = number; n > 0; n--) {
        const claim = readClaim(claimPath(state, n));
        if (typeof claim === 'string') continue;
        // An unreadable claim above this one may have been an acquisition.
        tokens.push(claim.token + (n === number ? 0 : 1));
        seals = claim.seals;
        break;
      }
      const token = Math.max(0, ...tokens) + 1;
      const claim: Claim = { token, name: 'thief', ttl_ms, expires_at_ms: now_ms + ttl_ms, released: false, seals };
      writeFileSync(claimPath(state, number + 1), `${JSON.stringify(claim)}\n`, { flag: 'wx' });
      if (seals) for (let earlier = 0; earlier < token; earlier++) shutOut(state, earlier);
    },

    // In place: a further claim would rob the holder.
    expire({ state, now_ms }) {
      const path = claimPath(state, highest(state));
      const claim = readClaim(path);
      if (typeof claim === 'string') throw new Error(`the lease can't be made to run out: ${claim}`);
      writeFileSync(path, `${JSON.stringify({ ...claim, expires_at_ms: now_ms } satisfies Claim)}\n`);
    },

    corrupt({ state, now_ms }, how) {
      const path = claimPath(state, highest(state));
      if (how === 'remove') return unlinkSync(path);
      if (how === 'truncate') truncateSync(path, Math.floor(statSync(path).size / 2));
      else writeFileSync(path, how === 'empty' ? '' : '\u0000\u0001garbage');
      // Under sim this harness's own clock is not the one that the kernels see, and they reckon an unreadable lease from the file's time.
      utimesSync(path, now_ms / 1000, now_ms / 1000);
    },
  } satisfies LockAdapter;
}

function stateOf(claim: Claim): LockState {
  const { token, session, name, pid, expires_at_ms } = claim;
  if (claim.released) return { is: 'free', token };
  return { is: 'held', token, expires_at_ms, holder: { session: session ?? undefined, pid, name } };
}

/** The claim, or why it can't be read. */
function readClaim(path: string): Claim | string {
  try {
    const claim = JSON.parse(readFileSync(path, 'utf8'));
    const valid = Number.isSafeInteger(claim?.token) && Number.isFinite(claim?.expires_at_ms) && typeof claim?.released === 'boolean';
    return valid ? claim : 'it is no claim';
  } catch (error) {
    return (error as Error).message;
  }
}

/** How many bytes at the beginning of a segment are whole lines of JSON. */
function wholeLines(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })) return 0;
  let length = 0;
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    if (!isJson(line)) break;
    length += Buffer.byteLength(line) + 1;
  }
  return length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The numbers of the files `<number><suffix>` in a directory that need not exist yet. */
function numbersIn(directory: string, suffix: string): number[] {
  if (!statSync(directory, { throwIfNoEntry: false })) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(suffix))
    .map((name) => Number(name.slice(0, -suffix.length)))
    .filter((number) => Number.isSafeInteger(number) && number > 0);
}
