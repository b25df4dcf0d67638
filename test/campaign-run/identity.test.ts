import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Campaign, Timing } from '../../src/campaign/campaign.ts';
import { identityOf } from '../../src/campaign-run/identity.ts';
import { differenceOf } from '../../src/campaign-run/request.ts';
import type { Setup } from '../../src/campaign-run/run-trial.ts';
import { allInvariants } from '../../src/invariants/all.ts';
import smallest from '../fixtures/smallest/campaign.ts';

const directory = fileURLToPath(new URL('../fixtures/smallest', import.meta.url));

const identityWith = (over: Partial<Campaign>, invariants = allInvariants) => {
  const setup = {
    campaign: { ...smallest, ...over },
    driver: 'sim',
    invariants,
    kernel: () => ({ directory }),
    packages: () => [],
    versions: { 'crash-campaign': '0.1.0', node: 'v24.0.0', git: null },
  } as unknown as Setup;
  return identityOf(setup, { whole: { trials: 1, digest: 't' } });
};

const sim = (within: number) => ({ timing: { sim: { ...(smallest.timing.sim as Timing), recovers_within_ms: within } } });

test.each([
  ['another limit of recovery', sim(1)],
  ['another reason to die of', { robbed_reason: 'stolen' }],
  ['other aims', { scenarios: smallest.scenarios.map((scenario) => ({ ...scenario, aims: ['holding' as const] })) }],
])('trials that are judged by %s are of another run', async (_, over) => {
  const before = await identityWith({});
  expect(differenceOf(before, await identityWith({}))).toBeNull();
  expect(differenceOf(before, await identityWith(over))?.problem).toMatch(/^its campaign declares other timing/);
});

test('what a run of before has not recorded is not compared', async () => {
  const { declared: _, ...before } = await identityWith({});
  expect(differenceOf(before, await identityWith(sim(1)))).toBeNull();
});
