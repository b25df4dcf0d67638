import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { explore } from '../../../src/search/explorer.ts';

test('two holders at once and the release of a successor’s lock are found in ten trials, as known and as different defects', async () => {
  const target = fileURLToPath(new URL('../../../campaigns/proper-lockfile', import.meta.url));
  const summary = await explore({
    campaign: await loadCampaign(target),
    target,
    search: 'bounded',
    subject: 'proper-lockfile@4.1.2',
    variant: null,
    scenario: 'contend',
    seed: 1000,
    depth: 1,
    crash: 'kill',
    budget: 10,
    workers: 2,
  });
  const found = new Map(summary.findings.map(({ site, steps, source }) => [site, { steps, source }]));
  const issue121 = { steps: 2, source: 'https://github.com/moxystudio/node-proper-lockfile/issues/121' };
  expect(found.get('acquired the lock after removing that of the holder')).toEqual(issue121);
  expect(found.get('rmdir ledger.lock by one that wanted it')).toEqual(issue121);
  expect(found.get('rmdir ledger.lock by one that had lost it')).toMatchObject({ steps: 2, source: expect.stringContaining('pull/86') });
  expect(found.get('entered the critical section')).toMatchObject({ steps: 2, source: expect.stringContaining('probe') });
  expect(summary).toMatchObject({ verdict: 'pass', void: 0 });
});
