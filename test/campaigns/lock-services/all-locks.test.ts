import { expect, test } from 'vitest';
import { lockRows, type RunOfLocks, sharedScenarios } from '../../../campaigns/lock-services/all-locks.ts';
import { loadCampaign } from '../../../src/campaign/load.ts';
import type { Survival } from '../../../src/judge/survival.ts';
import { kill, record } from '../../fixtures/records.ts';

const cell = (subject: string, scenario: string, is: Survival['is'], broken = 0): Survival => ({
  subject,
  scenario,
  is,
  what: is === 'known' ? ['finishes'] : [],
  trials: 10,
  broken,
});

async function run(name: string, survival: Survival[]): Promise<RunOfLocks> {
  const { campaign } = await loadCampaign(name);
  const records = survival.flatMap(({ subject, scenario }) => [
    record(1, { subject, scenario, kills: [kill(1_000, true)] }),
    record(2, { subject, scenario: 'kill-while-holding', kills: [kill(7_000, true)] }),
  ]);
  return { campaign, records, summary: { survival, takeovers: [{ ttlMs: 30_000 }] } as never };
}

test('one row for each lock, under the names that campaigns share', async () => {
  const lock = 'proper-lockfile@4.1.2';
  const runs = [
    await run('file-locks', [cell(lock, 'contend', 'held'), cell('flock', 'pause-past-lease', 'not-applicable')]),
    await run('proper-lockfile', [cell(lock, 'contend', 'known', 4), cell(lock, 'kill-anywhere', 'held')]),
    await run('ingest', [cell('ingest', 'takeover-after-expiry', 'held'), cell('ingest', 'crash-loop', 'broken', 1)]),
  ];
  const rows = lockRows(runs).map(({ lock, campaigns, cells, takeover }) => ({
    lock,
    campaigns,
    takeover: [takeover?.medianMs, takeover?.ttlMs],
    cells: [...cells].map(([scenario, { is, trials, broken }]) => [scenario, is, broken, trials]),
  }));
  expect(rows).toEqual([
    {
      lock,
      campaigns: ['file-locks', 'proper-lockfile'],
      takeover: [7_000, 30_000],
      cells: [
        ['contend', 'known', 4, 20],
        ['kill-anywhere', 'held', 0, 10],
      ],
    },
    { lock: 'flock', campaigns: ['file-locks'], takeover: [7_000, 30_000], cells: [['pause-past-lease', 'not-applicable', 0, 10]] },
    {
      lock: 'claim-lease',
      campaigns: ['ingest'],
      takeover: [7_000, 30_000],
      cells: [
        ['pause-past-lease', 'held', 0, 10],
        ['crash-loop', 'broken', 1, 10],
      ],
    },
  ]);
  expect(sharedScenarios(runs).toSorted()).toEqual(['contend', 'kill-anywhere', 'kill-while-holding', 'pause-past-lease']);
});
