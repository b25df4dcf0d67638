import type { MuseumCase } from '../case.ts';

export default {
  name: 'workflow-1877',
  title: 'Two workers that go through one run at once both see that a step or a wait is not there yet, and both write it into the log.',
  source: 'https://github.com/vercel/workflow/pull/1877',
  never: 'the same step or wait twice in a log',
  broken: 'world-local@5.0.0-beta.3',
  fixed: 'world-local@5.0.0-beta.4',
  bug: [{ invariant: 'no-duplicate-events' }],
  searches: [{ by: 'random', scenario: 'stall-beside-another' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
