import { expect, test } from 'vitest';
import { expandTrials } from '../../src/campaign/expand.ts';
import { aCampaign } from './a-campaign.ts';

test('subjects take turns seed by seed, and neither is always the first', () => {
  const subjects = [{ name: 'a' }, { name: 'b' }];
  const campaign = { ...aCampaign(), subjects };
  const seeds = Array.from({ length: 40 }, (_, i) => 1000 + i);
  const trials = expandTrials(campaign, { seeds, scenarios: campaign.scenarios.slice(0, 1), subjects, variants: [] });
  expect(trials.map(({ seed }) => seed)).toEqual(seeds.flatMap((seed) => [seed, seed]));
  const first = trials.filter((_, i) => i % 2 === 0).map(({ subject }) => subject.name);
  expect(trials.filter((_, i) => i % 2 === 1).every(({ subject }, pair) => subject.name !== first[pair])).toBe(true);
  expect(first.filter((name) => name === 'a').length).toBeGreaterThan(10);
  expect(first.filter((name) => name === 'b').length).toBeGreaterThan(10);
});
