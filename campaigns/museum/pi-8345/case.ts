import type { MuseumCase } from '../case.ts';

export default {
  name: 'pi-8345',
  title:
    'An entry is appended to what a killed process has written of its last one: one line then holds both, and is passed over by every reader.',
  source: 'https://github.com/earendil-works/pi/issues/8345',
  never: 'an acknowledged entry lost after a torn append',
  broken: 'pi-coding-agent@0.84.3',
  fixed: 'pi-coding-agent@0.84.4',
  bug: [{ invariant: 'no-lost-acks' }],
  searches: [{ by: 'random', scenario: 'torn-write' }],
  live: { by: 'plan' },
} satisfies MuseumCase;
