import type { MuseumCase } from '../case.ts';

export default {
  name: 'proper-lockfile-121',
  title: 'A process that finds a stale lock removes the one that another has just made in its place.',
  source: 'https://github.com/moxystudio/node-proper-lockfile/issues/121',
  never: 'two holders',
  broken: 'proper-lockfile@4.1.2',
  fixed: null,
  bug: [{ invariant: 'one-holder-at-a-time' }],
  searches: [{ by: 'random', scenario: 'pause-while-acquiring' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
