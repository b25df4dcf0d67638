import { expect, test } from 'vitest';
import { loadCampaign } from '../../src/campaign/load.ts';
import { chosenOf } from '../../src/campaign-run/chosen.ts';

test('what a run leaves out of its controls is known by name: those that it was not asked for, and those that none of its scenarios tries', async () => {
  const { campaign } = await loadCampaign('ingest');
  const chosen = chosenOf(campaign, {
    driver: 'sim',
    seeds: [1000],
    scenarios: ['steal-lock', 'takeover-after-expiry'],
    subjects: ['ingest'],
    variants: ['door-check-only', 'without-ttl'],
  });
  const { variants, untried, unasked } = chosen;
  expect(variants.map(({ name }) => name)).toEqual(['door-check-only']);
  expect(untried).toEqual(['without-ttl']);
  expect(unasked).toContain('without-fencing');
  expect(unasked).not.toContain('door-check-only');
  expect(unasked).not.toContain('without-ttl');
});
