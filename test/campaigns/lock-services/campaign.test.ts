import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type LoadedCampaign, loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { there } from '../../services/there.ts';

/*
 * Real servers and real processes, on the real clock: a few plans that no machine is too slow for. Clients come from npm.
 */

const CAMPAIGN = fileURLToPath(new URL('../../../campaigns/lock-services', import.meta.url));
const isWhole = there(['etcd', 'postgres', 'redis']).length === 3;

let campaign: LoadedCampaign;
beforeAll(async () => {
  campaign = await loadCampaign(CAMPAIGN);
});

const PAUSED = 's1@event#2:pause=until:s2@event#1  t=+500ms:rival';

test.runIf(isWhole)('a fence holds, what has none is broken, and a fence on the wrong revision is found out', async () => {
  const variants = ['etcd-fenced-by-create-revision', 'row-fence-not-checked'];
  await withBench({ campaign, driver: 'live', variants }, async (bench) => {
    const run = async (subject: string, plan: string, variant: string | null = null) => {
      const { record } = await bench.run({ subject, variant, scenario: 'no-faults', seed: 1 }, parsePlan(plan));
      return { verdict: record.verdict, broke: [...new Set(record.violations.map(({ invariant }) => invariant))] };
    };
    // On a busy machine a session may hear that it was robbed before it comes to write: what has no fence then is broken by the next one.
    const runToBroken = async (...asked: Parameters<typeof run>) => {
      for (let left = 2; ; left--) {
        const trial = await run(...asked);
        if (trial.verdict === 'broken' || left === 0) return trial;
      }
    };
    const held = { verdict: 'held', broke: [] };
    const written = { verdict: 'broken', broke: expect.arrayContaining(['no-write-after-theft']) };
    const trials = await Promise.all([
      run('redis-fenced', PAUSED),
      runToBroken('redis', PAUSED),
      run('etcd', 's1@event#2:steal'),
      runToBroken('etcd', 's1@event#2:steal', 'etcd-fenced-by-create-revision'),
      run('postgres-row', PAUSED),
      runToBroken('postgres-row', PAUSED, 'row-fence-not-checked'),
      run('postgres-advisory', 's1@event#2:kill'),
      run('redis-fenced', 'cast=2  holder@event#3:outage=300ms'),
      run('etcd', 's1@event#2:partition=5s  t=+500ms:rival'),
    ]);
    expect(trials).toEqual([held, written, held, written, held, written, held, held, held]);
  });
});
