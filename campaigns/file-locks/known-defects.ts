import type { KnownDefect } from '../../src/campaign/campaign.ts';

/* What each of these locks is known to break, in which scenario. For the small ones that are our own the source says why, and where the same was told of another's. */

const REMOVED_LIVING = 'acquired the lock after removing that of the holder';

/** A lease is judged by the wall clock, and whoever finds it over removes a lock whose holder is at work. */
const byClock = (call: string, source: string): KnownDefect[] => [
  { invariant: 'one-holder-at-a-time', scenario: 'clock-jump', site: REMOVED_LIVING, source },
  { invariant: 'no-foreign-release', scenario: 'clock-jump', site: `${call} ledger.lock by one that wanted it`, source },
];

/** Between the look at a lock that nobody holds and its removal another removes it and makes its own, which is removed then. */
const lateRemoval = (call: string, source: string): KnownDefect[] => [
  { invariant: 'one-holder-at-a-time', scenario: `late-${call}`, site: REMOVED_LIVING, source },
  { invariant: 'no-foreign-release', scenario: `late-${call}`, site: `${call} ledger.lock by one that wanted it`, source },
];

/** Nobody ever takes over. */
const wedged = (scenario: string, source: string): KnownDefect[] => [
  { invariant: 'finishes', scenario, source },
  { invariant: 'recovers-within', scenario, source },
];

export const properLockfileDefects: KnownDefect[] = [
  ...lateRemoval('rmdir', 'https://github.com/moxystudio/node-proper-lockfile/issues/121'),
  ...byClock('rmdir', 'https://github.com/moxystudio/node-proper-lockfile/pull/6'),
];

export const lockfileDefects: KnownDefect[] = [
  {
    invariant: 'no-foreign-release',
    scenario: 'late-unlink',
    site: 'unlink ledger.lock by one that wanted it',
    source: 'https://github.com/npm/lockfile/issues/4',
  },
  // The file that guards the removal of a stale lock goes stale too, and is removed under the sleeper.
  {
    invariant: 'finishes',
    scenario: 'late-unlink',
    source: '`maybeStale` in lockfile.js of 1.0.4 fails with ENOENT; https://github.com/npm/lockfile/issues/4',
  },
  // `unlock` removes whatever is there.
  {
    invariant: 'no-foreign-release',
    scenario: 'pause-past-lease',
    site: 'unlink ledger.lock by one that had lost it',
    source: 'https://github.com/npm/lockfile/issues/15',
  },
  ...byClock('unlink', '`maybeStale` in lockfile.js of 1.0.4 compares `Date.now()` with the file’s time'),
];

export const pidFileDefects: KnownDefect[] = [
  ...wedged(
    'kill-while-making',
    'A file without a pid is that of nobody, for ever; elsewhere: https://github.com/getpaseo/paseo/issues/4803',
  ),
  ...wedged('power-cut', 'The file’s name outlives a pid that was not synced; elsewhere: https://github.com/churchers/vm-bhyve/pull/555'),
  ...wedged(
    'pid-reuse',
    'The pid of a dead holder is that of the session that asks; elsewhere: https://github.com/stellar/stellar-core/pull/652',
  ),
  ...lateRemoval(
    'unlink',
    'The file is removed by its name, whoever’s it is by then; elsewhere: https://github.com/NVIDIA/NemoClaw/issues/1281',
  ),
];

export const exclTtlDefects: KnownDefect[] = [
  ...lateRemoval(
    'unlink',
    'The file is removed by its name, whoever’s it is by then; elsewhere: https://github.com/dejuknow/md-redline/issues/67',
  ),
  ...byClock('unlink', 'The lease is judged by the wall clock; elsewhere: https://github.com/etcd-io/etcd/issues/6700'),
];
