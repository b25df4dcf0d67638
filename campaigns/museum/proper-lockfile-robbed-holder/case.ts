import type { MuseumCase } from '../case.ts';

export default {
  name: 'proper-lockfile-robbed-holder',
  title: 'A holder that slept past its lease writes on, and when it is done it removes the lock of its successor.',
  source: 'https://github.com/moxystudio/node-proper-lockfile/pull/86',
  never: 'a write after theft; release of somebody else’s lock',
  broken: 'proper-lockfile@4.1.2',
  fixed: null,
  bug: [{ invariant: 'no-foreign-release', site: 'rmdir ledger.lock by one that had lost it' }, { invariant: 'no-write-after-theft' }],
  searches: [{ by: 'random', scenario: 'pause-past-lease' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
