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

test('a scenario that is worth so many trials gets the first of the seeds', () => {
  const campaign = aCampaign();
  const [scenario] = campaign.scenarios as [(typeof campaign.scenarios)[number]];
  const scenarios = [
    { ...scenario, trials: 2 },
    { ...scenario, name: 'other' },
  ];
  const trials = expandTrials(campaign, { seeds: [7, 8, 9], scenarios, subjects: [{ name: 'a' }], variants: [] });
  expect(trials.map(({ scenario: { name }, seed }) => `${name} ${seed}`)).toEqual([
    `${scenario.name} 7`,
    `${scenario.name} 8`,
    'other 7',
    'other 8',
    'other 9',
  ]);
});
