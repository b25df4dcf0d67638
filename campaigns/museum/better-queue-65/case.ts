import type { MuseumCase } from '../case.ts';

export default {
  name: 'better-queue-65',
  title:
    'Jobs that a killed worker had begun are done by its successor and counted, without ever having been counted in: of the others, as many stay behind.',
  source: 'https://github.com/diamondio/better-queue/issues/65',
  never: 'a job stuck for ever after a kill',
  broken: 'better-queue@3.8.12',
  fixed: null,
  bug: [{ invariant: 'finishes', site: 'own error code 4 a job is in the queue, which says that it is empty' }],
  // SQLite is native code, which the simulation can't hold still.
  searches: [{ by: 'random', scenario: 'kill-at-event', driver: 'live' }],
  live: { by: 'none', why: 'it was found on the real clock' },
} satisfies MuseumCase;
