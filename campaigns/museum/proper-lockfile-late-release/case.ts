import type { MuseumCase } from '../case.ts';

export default {
  name: 'proper-lockfile-late-release',
  title: 'A holder that slept past its lease removes the lock of its successor, and is told that it released its own.',
  source: 'https://github.com/moxystudio/node-proper-lockfile/pull/86',
  never: 'release of somebody else’s lock',
  broken: 'proper-lockfile@4.1.2',
  fixed: null,
  bug: [{ invariant: 'no-foreign-release', site: 'rmdir ledger.lock by one that had lost it' }],
  searches: [{ by: 'random', scenario: 'pause-at-release' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
