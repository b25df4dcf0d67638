import type { MuseumCase } from '../case.ts';

export default {
  name: 'world-local-hook-token',
  title:
    'Who dies while he makes or disposes of a hook leaves a lock on its token behind, for which the next session waits until it is stale.',
  source: 'docs/world-local.md, “thirty seconds”; the lock came with https://github.com/vercel/workflow/pull/2866',
  never: 'a takeover slower than 2 s after a kill',
  broken: 'world-local@5.0.0-beta.46',
  fixed: 'world-local@5.0.0-beta.29',
  bug: [{ invariant: 'recovers-within' }],
  searches: [{ by: 'random', scenario: 'kill-anywhere' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
