/** What becomes of the next write when a kill has left the lock behind: it is accepted at once, or when the lock is stale. */
export type NextWrite = 'at once' | 'when stale';

/** At once means within so long. */
export const AT_ONCE_MS: Record<string, number> = { unnamed: 2000, named: 2000, 'owner-file': 1000 };

/** Live, a process takes so long to start on a busy machine. */
export const START_SLACK_MS = 15_000;

/** How much later than it could be the next write may be when a lock is stale: the first stamp of a process is rounded up to a second, and writers look five times a second. */
export const STALE_SLACK_MS = 3000;

/** What each scenario expects of each lock. Where a lock does not say whose it is, or not to the one that wants it, that one has to wait. */
export const EXPECTED: Record<string, Record<string, NextWrite>> = {
  'kill-any-time': { unnamed: 'when stale', named: 'at once', 'owner-file': 'at once' },
  'killed-holder': { unnamed: 'when stale', named: 'at once', 'owner-file': 'at once' },
  'eight-writers-race': { unnamed: 'when stale', named: 'at once', 'owner-file': 'at once' },
  'killed-before-naming': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'pid-in-use-again': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'other-host': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'stale-lock': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'two-removers': { named: 'when stale' },
  'two-containers': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'unreadable-boot-id': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'reboot-while-locked': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
  'mixed-versions': { unnamed: 'when stale', named: 'at once', 'owner-file': 'when stale' },
  'downgrade-after-crash': { unnamed: 'when stale', named: 'at once', 'owner-file': 'when stale' },
  'upgrade-after-crash': { unnamed: 'when stale', named: 'when stale', 'owner-file': 'when stale' },
};
