import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

const TOY = fileURLToPath(new URL('../../fixtures/cli/toy', import.meta.url));

/* What a session says arrives before the harness has looked at the lock that it has just made. */
test('a kill fell into the windows of the moment in which the session died', async () => {
  const toy = await loadCampaign(TOY);
  const saysSo = {
    name: 'says-so',
    edit: [{ file: 'kernel.mjs', from: 'hold();\nconst', to: "hold();\nprocess.stdout.write('@crash point held\\n');\nconst" }],
  };
  const campaign = { ...toy, campaign: { ...toy.campaign, variants: [saysSo] } };
  await withBench({ campaign, driver: 'live', variants: ['says-so'] }, async (bench) => {
    const about = { subject: 'toy', scenario: 'kill-at-third-event', seed: 1, variant: 'says-so' };
    const { record } = await bench.run(about, parsePlan('s1@point(held)#1:kill'));
    expect(record.kills[0]?.left_lock_behind).toBe(true);
    expect(record.landed[0]).toMatchObject({ state: 'delivered', windows: ['holding'] });
  });
});
