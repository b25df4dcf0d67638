import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Cell } from '../../../campaigns/ingest/mutants/cell.ts';
import { detect } from '../../../campaigns/ingest/mutants/detect.ts';
import { detectionPage } from '../../../campaigns/ingest/mutants/page.ts';
import { mutants } from '../../../campaigns/ingest/mutants.ts';
import { applyVariant } from '../../../src/campaign/components.ts';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';

const path = (name: string) => fileURLToPath(new URL(`../../../campaigns/ingest/${name}`, import.meta.url));

test('there are at least 40, and the text that each changes is there once', () => {
  const files = [...new Set(mutants.flatMap(({ edit }) => edit.map(({ file }) => file)))].map((file) => ({
    path: file,
    text: readFileSync(path(file), 'utf8'),
  }));
  for (const mutant of mutants) expect(applyVariant(files, mutant)).not.toEqual(files);
  expect(mutants.filter((mutant) => 'breaks' in mutant).length).toBeGreaterThanOrEqual(40);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

const never = new AbortController().signal;

test('five of them are caught by an invariant that they name, and the kernel as it is is not', async () => {
  const campaign = await loadCampaign(path('mutants'));
  const five = ['lease-of-hours', 'believes-that-it-holds', 'claims-in-order-of-text', 'seal-one-byte-short', 'leaves-work-about'];
  await withBench({ campaign, driver: 'sim', variants: five }, async (bench) => {
    for (const name of five) {
      const caught = await detect({ mutant: name, strategy: 'random', seed: 1, most: 14 }, bench, campaign, never);
      const mutant = mutants.find((one) => one.name === name);
      expect(mutant && 'breaks' in mutant && mutant.breaks.filter((invariant) => caught?.broke.includes(invariant)), name).not.toEqual([]);
    }
    const asItIs = await detect({ mutant: null, strategy: 'random', seed: 1, most: 5 }, bench, campaign, never);
    expect(asItIs).toMatchObject({ most: 5, trials: 5, broke: [] });
  });
});

test('what is interrupted is no answer', async () => {
  const campaign = await loadCampaign(path('mutants'));
  await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
    for (const strategy of ['random', 'explore', 'pct'] as const)
      expect(await detect({ mutant: null, strategy, seed: 1, most: 5 }, bench, campaign, AbortSignal.abort())).toBeNull();
  });
});

test('the scenarios that mutants name are there', async () => {
  const { campaign } = await loadCampaign(path('mutants'));
  const named = new Set(mutants.flatMap((mutant) => ('breaks' in mutant && mutant.scenario) || []));
  expect([...named].filter((scenario) => !campaign.scenarios.some(({ name }) => name === scenario))).toEqual([]);
});

test('the page says in how many trials, from how many seeds, by what, and what is missing', () => {
  const cell = (mutant: string | null, over: Partial<Cell> = {}): Cell => ({
    mutant,
    strategy: 'random',
    seed: 1,
    most: 100,
    trials: 4,
    void: 0,
    broke: ['finishes', 'no-debris'],
    scenario: 'contend',
    plan: 'no faults',
    ...over,
  });
  const found = [
    { name: 'a', edit: [], breaks: ['finishes'] },
    { name: 'b', edit: [], breaks: ['finishes'], scenario: 'contend' },
    { name: 'c', edit: [], equivalent: 'it is.' },
  ];
  const cells = [
    cell('a'),
    cell('a', { seed: 2, trials: 9 }),
    cell('a', { strategy: 'explore', trials: 40, broke: [] }),
    cell('b', { strategy: 'pct', trials: 60, broke: [] }),
    cell('c', { trials: 33, broke: [] }),
    cell(null, { seed: 100, trials: 1_100, void: 2, broke: [] }),
  ];
  const page = detectionPage(found, cells, [1, 2], 11);
  expect(page).toContain('| `a` | `finishes` | 4 (2/2) |  |  | > 40 (0/1) |  | all |');
  expect(page).toContain('| `b` |  |  | `contend` | > 60 (0/1) |  |  | 0 of 2 |');
  expect(page).toContain('1 of 2 were caught from every seed');
  expect(page).toContain('Not caught from every seed yet: `b`');
  expect(page).toContain('| `c` | it is. | 33 |');
  expect(page).toContain('0 false alarms in 1,100 trials, 2 of them void');
  expect(detectionPage(found, [cell('c')], [1], 11)).toContain('the reason is wrong: `c`');
});
