import type { MuseumCase } from '../case.ts';

export default {
  name: 'proper-lockfile-robbed-holder',
  title: 'A holder that slept past its lease writes on, though its successor is at work.',
  source: 'https://github.com/moxystudio/node-proper-lockfile/pull/86',
  never: 'a write after theft',
  broken: 'proper-lockfile@4.1.2',
  fixed: null,
  bug: [{ invariant: 'no-write-after-theft' }],
  searches: [{ by: 'random', scenario: 'pause-past-lease' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
