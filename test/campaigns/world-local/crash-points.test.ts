import { expect, test } from 'vitest';
import { crashPointsPage } from '../../../campaigns/world-local/crash-points-page.ts';
import type { ExploreFinding } from '../../../src/search/explore-summary.ts';

const finding = (invariant: string, site: string, plans: [place: string, operation: string][]) =>
  ({ invariant, site, plans: plans.map(([place, operation]) => ({ plan: `s1@op#${place}`, operation })) }) as ExploreFinding;

test('crashes of one outcome stand together, in order, and without what differs from run to run', () => {
  const run = 'data/runs/wrun_01HF7YAT000000000000000001.json.tmp.01HF7YAT0RHZE3HBRCQT2MA7KJ';
  const lock = `data/hooks/tokens/${'0f'.repeat(32)}.json.lock`;
  const page = crashPointsPage([
    {
      subject: '5.0.0',
      seed: 7,
      operations: 99,
      points: 200,
      levels: [{ depth: 1, points: 200, states: 9, tried: 9 }],
      recovered: 5,
      findings: [
        finding('finishes', 'unfinished after a kill while idle', [['9:tear=1', `write ${run}`]]),
        finding('log-is-complete', 'no run_started', [
          ['10+:kill', `write ${run}`],
          ['9:tear=1', `write ${run}`],
          ['9+:kill', `write ${run}`],
        ]),
        finding('recovers-within', 'kill of a holder', [['44+:kill', `mkdir ${lock}`]]),
      ],
    },
  ]);
  expect(page).toContain('After 5 the next session went on as if nothing had been, after 4 it did not.');
  expect(page).toContain(`an event is lost: no run_started (3)
    9 torn + write data/runs/wrun.json.tmp
   10 +      write data/runs/wrun.json.tmp

waits for 30 s (1)
   44 +      mkdir data/hooks/tokens/token.json.lock
`);
});
