import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunOptions, runCampaign } from '../../src/campaign-run/run.ts';
import toy from '../fixtures/cli/toy/campaign.ts';

const file = fileURLToPath(new URL('../fixtures/cli/toy/campaign.ts', import.meta.url));

/** Runs the toy campaign, or goes on with a run of it. */
export function runToy(runDirectory: string, over: Partial<RunOptions> = {}) {
  return runCampaign({
    campaign: { campaign: toy, file, directory: dirname(file) },
    target: 'toy',
    driver: 'sim',
    seeds: [1, 2, 3, 4],
    scenarios: toy.scenarios.map(({ name }) => name),
    subjects: ['toy'],
    variants: ['without-resume'],
    controls: true,
    workers: 2,
    keep: 'none',
    runDirectory,
    ...over,
  });
}

export const trialsOf = (runDirectory: string) => join(runDirectory, 'trials.ndjson');
