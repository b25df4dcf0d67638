import type { MuseumCase } from '../case.ts';

export default {
  name: 'electron-store-21',
  title: 'A settings file is emptied before it is written anew, and whoever is killed in between has lost all of it.',
  source: 'https://github.com/sindresorhus/electron-store/issues/21',
  never: 'settings lost after a kill',
  broken: 'conf@1.1.2',
  fixed: 'conf@1.2.0',
  bug: [{ invariant: 'no-lost-acks' }],
  searches: [{ by: 'random', scenario: 'kill-anywhere' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
