import type { MuseumCase } from '../case.ts';

export default {
  name: 'proper-lockfile-71',
  title: 'A holder that slept past its lease is told that its lock was lost, though nobody came for it.',
  source: 'https://github.com/moxystudio/node-proper-lockfile/issues/71',
  never: 'a holder told that it was robbed when nobody came',
  broken: 'proper-lockfile@3.2.0',
  fixed: 'proper-lockfile@4.1.2',
  bug: [{ invariant: 'no-false-alarm' }],
  searches: [{ by: 'random', scenario: 'pause-past-lease-alone' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
