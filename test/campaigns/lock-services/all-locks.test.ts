import { expect, test } from 'vitest';
import { lockRows, type RunOfLocks, sharedScenarios } from '../../../campaigns/lock-services/all-locks.ts';
import { pageOf } from '../../../campaigns/lock-services/page.ts';
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
  const summary = {
    campaign: name,
    driver: 'sim',
    coverage: { seeds: { count: 2 } },
    trials: { total: 2, void: 0 },
    verdict: 'pass',
    wallMs: 1_000,
    controls: [],
    survival,
    takeovers: [{ ttlMs: 30_000 }],
  };
  return { campaign, records, summary: summary as never };
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

test('what a campaign calls by a name of its own is told where no other run has it', async () => {
  const runs = [
    await run('lock-services', [cell('etcd', 'kill-while-holding', 'held')]),
    await run('fence-lock', [cell('named', 'killed-holder', 'held'), cell('named', 'kill-any-time', 'known', 4)]),
  ];
  const rows = pageOf(runs).split('\n');
  expect(rows.filter((line) => line.startsWith('| `kill-any-time`'))).toEqual([expect.stringMatching(/ \| known 4\/10 \|$/)]);
  expect(rows).toContainEqual(expect.stringMatching(/^\| `named` \| fence-lock \| held \| 7\.00 s \/ 30\.0 s \|$/));
});
