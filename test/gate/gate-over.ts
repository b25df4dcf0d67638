import { fileURLToPath } from 'node:url';
import type { Campaign } from '../../src/campaign/campaign.ts';
import { loadCampaign } from '../../src/campaign/load.ts';
import { parseSeeds } from '../../src/campaign/seeds.ts';
import { type GateOptions, type GateOutcome, runGate } from '../../src/gate/run-gate.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/gate', import.meta.url));

export const loaded = await loadCampaign(FIXTURE);

/** The fixture's kernel with a defect of this name in it; see there. */
export const planted = (plant: string): Partial<Campaign> => ({ kernel: { ...loaded.campaign.kernel, env: { PLANT: plant } } });

/** A gate over the fixture's campaign as it is, or with something changed in it. */
export function gateOver(change: Partial<Campaign>, compareWith: GateOptions['with'], runDirectory: string): Promise<GateOutcome> {
  const campaign = { ...loaded.campaign, ...change };
  return runGate({
    run: {
      campaign: { ...loaded, campaign },
      target: FIXTURE,
      driver: 'sim',
      seeds: parseSeeds(campaign.seeds),
      scenarios: campaign.scenarios.map(({ name }) => name),
      subjects: ['gated'],
      variants: ['without-resume'],
      controls: true,
      workers: 2,
      keep: 'failed',
      runDirectory,
    },
    with: compareWith,
    margin: { relative: 0.05 },
  });
}
