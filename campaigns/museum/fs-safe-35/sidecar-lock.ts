import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockSite, LockState } from '../../../src/locks/lock.ts';

const LOCK = 'ledger.lock';
const at = ({ state }: LockSite) => join(state, LOCK);

/** A file with its holder's payload: who it is and since when. While that is not written yet, the file's age is the lease. */
export const sidecarLock = {
  kind: 'fs-safe',
  covers: (path) => path.startsWith(LOCK),
  releases: ({ kind }) => kind === 'unlink' || kind === 'rm',

  inspect(site): LockState {
    const found = statSync(at(site), { throwIfNoEntry: false });
    if (!found) return { is: 'free' };
    const [, session, created] = /"session": "(\w+)",\s+"createdAt": "([^"]+)"/.exec(readFileSync(at(site), 'utf8')) ?? [];
    const since_ms = created === undefined ? Math.round(found.mtimeMs) : Date.parse(created);
    return { is: 'held', holder: session === undefined ? {} : { session }, expires_at_ms: since_ms + site.ttl_ms };
  },

  steal: (site) => write(site, 'thief', site.now_ms),
  expire(site) {
    write(site, 'somebody', site.now_ms - site.ttl_ms - 1);
  },
  corrupt(site, how) {
    if (how === 'remove') rmSync(at(site), { force: true });
    else writeFileSync(at(site), how === 'garbage' ? '\u0000\u0001garbage' : '');
  },
} satisfies LockAdapter;

/** As a process that died leaves it. */
export function leaveBehind(site: LockSite): void {
  write(site, 'somebody', site.now_ms - 10 * site.ttl_ms);
}

function write(site: LockSite, session: string, since_ms: number) {
  writeFileSync(at(site), `${JSON.stringify({ session, createdAt: new Date(since_ms).toISOString() }, null, 2)}\n`);
  utimesSync(at(site), since_ms / 1000, since_ms / 1000);
}
