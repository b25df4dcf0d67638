import type { MuseumCase } from '../case.ts';

export default {
  name: 'npm-lockfile-4',
  title: 'A process that finds a stale lock removes the one that another has just made in its place.',
  source: 'https://github.com/npm/lockfile/issues/4',
  never: 'two holders',
  broken: 'lockfile@0.4.2',
  fixed: 'lockfile@0.4.3',
  bug: [{ invariant: 'one-holder-at-a-time' }],
  searches: [{ by: 'random', scenario: 'pause-while-acquiring' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
