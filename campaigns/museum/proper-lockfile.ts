import { properLockfile } from '../../src/locks/proper-lockfile.ts';
import { readLedger } from '../proper-lockfile/read.ts';

export const LOCK = 'ledger.lock';
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

/** What the cases of proper-lockfile have in common: one kernel, its lock and its ledger. Paths are relative to the folder of a case. */
export const underProperLockfile = {
  kernel: {
    directory: '../proper-lockfile-121',
    files: ['kernel.mjs'],
    command: ['node', '{kernel}/kernel.mjs'],
    env: { STALE_MS: '{ttl_ms}' },
  },
  lock: properLockfile(LOCK),
  read: readLedger,
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: timing, live: timing },
};

export const subject = (version: string) => ({
  name: `proper-lockfile@${version}`,
  package: `proper-lockfile@${version}`,
  packageLock: '../packages.lock.json',
});
