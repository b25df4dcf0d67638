import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockSite, LockState } from '../../src/locks/lock.ts';

interface Claim {
  token: number;
  session?: string | null;
  name?: string;
  pid?: number;
  expires_at_ms: number;
  released: boolean;
  open: boolean;
}

/** The lock of a run directory. It has changed hands when the one that claimed it has taken the files over, and says so in a further claim. */
export const runLock: LockAdapter = {
  kind: 'run-lock',
  covers: (path) => path === 'lock' || path.startsWith('lock/'),
  releases: ({ path }) => path.endsWith('.release'),

  inspect({ state }): LockState {
    for (const number of numbers(state).reverse()) {
      const claim = readClaim(state, number);
      if (claim === null) return { is: 'unreadable', why: `lock/${number}.claim is no claim` };
      if (claim.open || claim.released) return stateOf(claim);
    }
    return { is: 'free' };
  },

  // As another harness does it: the claim, then the files.
  steal(site) {
    const { state, now_ms, ttl_ms } = site;
    const number = highest(state) + 1;
    put(site, number, { token: number, name: 'thief', expires_at_ms: now_ms + ttl_ms, released: false, open: true });
    for (const name of readdirSync(state)) if (name.endsWith('.tmp')) rmSync(join(state, name));
    if (!existsSync(join(state, 'trials.ndjson'))) return;
    copyFileSync(join(state, 'trials.ndjson'), join(state, 'trials.ndjson.thief'));
    renameSync(join(state, 'trials.ndjson.thief'), join(state, 'trials.ndjson'));
  },

  expire(site) {
    const number = highest(site.state);
    const claim = readClaim(site.state, number);
    if (claim === null) throw new Error(`lock/${number}.claim is no claim, and can't be made to run out`);
    put(site, number, { ...claim, expires_at_ms: site.now_ms });
  },

  corrupt({ state, now_ms }, how) {
    const path = join(state, 'lock', `${highest(state)}.claim`);
    if (how === 'remove') return rmSync(path);
    if (how === 'truncate') truncateSync(path, Math.floor(readFileSync(path).length / 2));
    else writeFileSync(path, how === 'empty' ? '' : '\u0000\u0001garbage');
    utimesSync(path, now_ms / 1000, now_ms / 1000);
  },
};

function stateOf({ token, session, name, pid, expires_at_ms, released }: Claim): LockState {
  if (released) return { is: 'free', token };
  return { is: 'held', token, expires_at_ms, holder: { session: session ?? undefined, pid, name } };
}

function put({ state }: LockSite, number: number, claim: Claim): void {
  writeFileSync(join(state, 'lock', `${number}.claim`), `${JSON.stringify(claim)}\n`);
}

function readClaim(state: string, number: number): Claim | null {
  try {
    return JSON.parse(readFileSync(join(state, 'lock', `${number}.claim`), 'utf8'));
  } catch {
    return null;
  }
}

const highest = (state: string) => numbers(state).at(-1) ?? 0;

/** Ascending. */
function numbers(state: string): number[] {
  if (!existsSync(join(state, 'lock'))) return [];
  return readdirSync(join(state, 'lock'))
    .flatMap((name) => /^(\d+)\.claim$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
