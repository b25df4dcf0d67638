import type { MuseumCase } from '../case.ts';

export default {
  name: 'fs-safe-35',
  title: 'A process that removes a stale lock, “if unchanged”, removes the one that another has made between its look and its removal.',
  source: 'https://github.com/openclaw/fs-safe/pull/35',
  never: 'two holders',
  broken: 'openclaw-fs-safe@0.4.1',
  fixed: 'openclaw-fs-safe@0.4.7',
  bug: [{ invariant: 'one-holder-at-a-time' }],
  searches: [{ by: 'random', scenario: 'pause-while-acquiring' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
