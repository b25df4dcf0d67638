import { expect, test } from 'vitest';
import { listCases, loadExhibit } from '../../../campaigns/museum/cases.ts';
import { bugIn, searchIn } from '../../../campaigns/museum/search.ts';
import { packagesOf } from '../../../src/campaign/package-spec.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import type { TrialRecord } from '../../../src/history/record.ts';
import { allInvariants } from '../../../src/invariants/all.ts';
import { sourceOf } from '../../../src/judge/findings.ts';

/*
 * Real packages of npm, as they were published: the bug is found in the one, and not in the other. The scoreboard in docs/museum.md is made of many more trials.
 */

const LOCKS = [
  'fs-safe-35',
  'npm-lockfile-4',
  'proper-lockfile-121',
  'proper-lockfile-71',
  'proper-lockfile-late-release',
  'proper-lockfile-robbed-holder',
];
const BASE_SEED = 2;
const MOST = 30;
const TWIN_TRIALS = 4;

test.each(LOCKS)('%s: broken in the version that has it, and not in the one that has not', async (name) => {
  const { about, campaign } = await loadExhibit(name);
  const [search] = about.searches;
  let caught: TrialRecord | undefined;
  const found = new AbortController();
  await searchIn(campaign, about.broken, { search, seed: BASE_SEED, most: MOST, signal: found.signal }, (record) => {
    if (!bugIn(record, about)) return;
    caught = record;
    found.abort();
  });
  expect(caught, `${name} was not found in ${MOST} trials`).toBeDefined();

  const twin: TrialRecord[] = [];
  const options = { search, seed: BASE_SEED, most: TWIN_TRIALS, signal: new AbortController().signal };
  if (about.fixed !== null) await searchIn(campaign, about.fixed, options, (record) => twin.push(record));
  expect(twin.map(({ violations }) => violations)).toEqual(about.fixed === null ? [] : Array(TWIN_TRIALS).fill([]));
  expect(twin.filter(({ verdict }) => verdict === 'held').length).toBeGreaterThanOrEqual(about.fixed === null ? 0 : 1);
});

test('a lock that lies there before the first session is nobody’s, until a session makes its own', async () => {
  const { campaign } = await loadExhibit('proper-lockfile-121');
  const { history } = await withBench({ campaign, driver: 'sim', variants: [] }, async ({ golden }) => golden);
  const changes = history.entries.flatMap((entry) =>
    entry.type === 'lock' && entry.change !== 'renewed' ? [[entry.change, entry.session]] : [],
  );
  expect(changes).toEqual([
    ['acquired', null],
    ['released', null],
    ['acquired', 's1'],
    ['released', 's1'],
  ]);
});

test.each(listCases())('%s is what a case must be', async (name) => {
  const { about, campaign } = await loadExhibit(name);
  const { subjects = [], scenarios, invariants = allInvariants } = campaign.campaign;
  expect([about.name, campaign.campaign.name]).toEqual([name, name]);
  for (const { invariant } of about.bug) expect(invariants.map((one) => one.name)).toContain(invariant);
  for (const search of about.searches) if (search.by !== 'crashes') expect(scenarios.map((one) => one.name)).toContain(search.scenario);
  // Its packages are in one exact version, with all that they depend on.
  for (const subject of subjects) expect([packagesOf(subject).length > 0, subject.packageLock]).toEqual([true, '../packages.lock.json']);
  // The campaign by itself passes: the bug is declared, with its source, where it is, and nowhere else.
  for (const { invariant, site } of about.bug)
    for (const scenario of scenarios) {
      const record = { subject: about.broken, scenario: scenario.name } as TrialRecord;
      expect(sourceOf(record, { invariant, site, message: '', sessions: [], entries: [] }, subjects)).toMatch(/https:\/\//);
    }
});
