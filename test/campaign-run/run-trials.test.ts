import { expect, test } from 'vitest';
import { trialsOf } from '../../src/campaign-run/run-trials.ts';
import { aCampaign } from '../campaign/a-campaign.ts';

test('a run may have more trials than a call has room for arguments', () => {
  const campaign = aCampaign();
  const seeds = Array.from({ length: 200_000 }, (_, seed) => seed);
  const selection = { seeds, scenarios: campaign.scenarios.slice(0, 1), subjects: [{ name: 'k' }], variants: [] };
  expect(trialsOf(campaign, selection, { controls: false }).whole.trials).toBe(200_000);
});
