import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { LockAdapter, LockSite } from '../../src/locks/lock.ts';

const TOKENS = 'data/hooks/tokens';

/** The lock of 5.0.0-beta.46 on a hook's token: one of proper-lockfile, beside the token's claim. Older versions have none. */
export const claimLock: LockAdapter = {
  kind: 'hook-token-claim',
  covers: (path) => path.startsWith(TOKENS) && path.endsWith('.lock'),
  releases: ({ kind }) => kind === 'rmdir',
  inspect(site) {
    const path = find(site);
    return path === null ? { is: 'free' } : { is: 'held', holder: {}, expires_at_ms: Math.round(statSync(path).mtimeMs) + site.ttl_ms };
  },
  steal(site) {
    const path = find(site);
    if (path === null) return;
    rmSync(path, { recursive: true });
    mkdirSync(path);
    utimesSync(path, site.now_ms / 1000, site.now_ms / 1000);
  },
  expire(site) {
    const path = find(site);
    const stale = (site.now_ms - site.ttl_ms - 1) / 1000;
    if (path !== null) utimesSync(path, stale, stale);
  },
  corrupt(site) {
    const path = find(site);
    if (path !== null) rmSync(path, { recursive: true });
  },
};

function find({ state }: LockSite): string | null {
  try {
    const name = readdirSync(join(state, TOKENS)).find((name) => name.endsWith('.lock'));
    return name === undefined ? null : join(state, TOKENS, name);
  } catch {
    return null;
  }
}
