import { expect, test } from 'vitest';
import { loadExhibit } from '../../../campaigns/museum/cases.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

test('who dies while he claims a token is waited for as long as a lock takes to go stale, where there is one', async () => {
  const { about, campaign } = await loadExhibit('world-local-hook-token');
  await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    const recovery = async (subject: string | null, plan: string) => {
      const { record } = await bench.run({ subject: subject ?? '', variant: null, scenario: 'no-faults', seed: 1 }, parsePlan(plan));
      expect(record.violations.map(({ invariant }) => invariant)).toEqual(subject === about.broken ? ['recovers-within'] : []);
      return record.kills[0]?.recovery_ms;
    };
    expect(await recovery(about.broken, 's1@mkdir(*.lock)#1+:kill')).toBeGreaterThan(29_000);
    expect(await recovery(about.fixed, 's1@link(data/hooks/tokens/*)#1:kill')).toBeLessThan(2_000);
    expect(await recovery(about.fixed, 's1@link(data/hooks/tokens/*)#1+:kill')).toBeLessThan(2_000);
  });
});
