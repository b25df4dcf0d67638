/**
 * What the gate says of a kernel that is as it was, and of three that recover worse, over so many seeds under sim:
 *
 *     npm run bench -- gate [seeds, 200]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCampaign } from '../../src/campaign/load.ts';
import { parseSeeds } from '../../src/campaign/seeds.ts';
import { type GateOptions, runGate } from '../../src/gate/run-gate.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/gate', import.meta.url));
const PLANTS = {
  nothing: 'as it was',
  'slow-takeover': 'takeover +20 %',
  'longer-lease': 'lease +10 %',
  never: '2 % never recover',
};

const seeds = `1-${process.argv[3] ?? 200}`;
const directory = await mkdtemp(join(tmpdir(), 'crash-campaign-gate-bench-'));
const file = join(directory, 'baseline.json');
const loaded = await loadCampaign(FIXTURE);

function gate(plant: string, compareWith: GateOptions['with']) {
  const campaign = { ...loaded.campaign, seeds, kernel: { ...loaded.campaign.kernel, env: { PLANT: plant } } };
  return runGate({
    run: {
      campaign: { ...loaded, campaign },
      target: FIXTURE,
      driver: 'sim',
      seeds: parseSeeds(seeds),
      scenarios: campaign.scenarios.map(({ name }) => name),
      subjects: ['gated'],
      variants: ['without-resume'],
      controls: true,
      workers: 2,
      keep: 'none',
      runDirectory: join(directory, `${compareWith.is}-${plant}`),
    },
    with: compareWith,
    margin: { relative: 0.05 },
  });
}

try {
  await gate('nothing', { is: 'update', file });
  for (const [plant, what] of Object.entries(PLANTS)) {
    const { verdict, compare } = (await gate(plant, { is: 'baseline', file })).gate;
    const { same, slower, faster } = compare?.seeds.exact ?? {};
    const exact = `${same} seeds the same, ${slower} slower, ${faster} faster`;
    console.log(`${what.padEnd(20)} ${verdict.padEnd(5)} ${compare?.decision ?? 'not compared'}: ${exact}`);
  }
} finally {
  await rm(directory, { recursive: true });
}
