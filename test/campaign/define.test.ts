import { expect, expectTypeOf, test } from 'vitest';
import type { Campaign } from '../../src/campaign/campaign.ts';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { nearest } from '../../src/campaign/nearest.ts';
import { aCampaign, aScenario } from './a-campaign.ts';

function errorOf(act: () => unknown): CampaignError {
  try {
    act();
  } catch (error) {
    if (error instanceof CampaignError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

test('a campaign in which nothing is wrong is returned as it was given', () => {
  const campaign = aCampaign();
  expect(defineCampaign(campaign)).toBe(campaign);
  expect(campaign).toMatchObject({ name: 'fixture' });
});

test('it is typed, so that an editor completes it', () => {
  expectTypeOf(defineCampaign).parameter(0).toEqualTypeOf<Campaign>();
  // @ts-expect-error A field that is missing.
  expect(() => defineCampaign({ name: 'x' })).toThrow(CampaignError);
});

// oxlint-disable-next-line typescript/no-explicit-any -- What is wrong in it is wrong in its type too.
type Wrong = any;

// biome-ignore format: a table.
const CASES: [what: string, change: (campaign: Wrong) => void, field: string, given: string | undefined, remedy: RegExp][] = [
  ['no campaign', (c) => { for (const key of Object.keys(c)) delete c[key]; }, 'name', undefined, /kebab case/],
  ['a name that is no folder name', (c) => { c.name = 'My Campaign'; }, 'name', "'My Campaign'", /kebab case/],
  ['no title', (c) => { delete c.title; }, 'title', undefined, /one sentence/],
  ['no command', (c) => { c.kernel = {}; }, 'kernel.command', undefined, /\['node'/],
  ['an empty command', (c) => { c.kernel.command = []; }, 'kernel.command', '[]', /program and its arguments/],
  ['a misspelt placeholder', (c) => { c.kernel.command[2] = '{stat}'; }, 'kernel.command[2]', "'{stat}'", /Write \{state\}/],
  ['a number in the environment', (c) => { c.kernel.env.N = 3; }, 'kernel.env.N', '3', /Write text/],
  ['no lock', (c) => { delete c.lock; }, 'lock', undefined, /lock adapter/],
  ['half a lock', (c) => { delete c.lock.steal; }, 'lock.steal', undefined, /a function: \(site\)/],
  ['a reader that is none', (c) => { c.read = 'ledger'; }, 'read', "'ledger'", /a function/],
  ['no scenario', (c) => { c.scenarios = []; }, 'scenarios', '[]', /killAnywhere/],
  ['a scenario by its name', (c) => { c.scenarios = ['first']; }, 'scenarios[0]', "'first'", /killAnywhere/],
  ['two scenarios of one name', (c) => { c.scenarios.push(aScenario('first')); }, 'scenarios[2].name', "'first'", /scenarios\[0\] has that name already/],
  ['two subjects of one name', (c) => { c.subjects.push(c.subjects[0]); }, 'subjects[1].name', "'lib@1.0.0'", /has that name already/],
  ['two variants of one name', (c) => { c.variants[1].name = 'without-ttl'; }, 'variants[1].name', "'without-ttl'", /has that name already/],
  ['a subject that would break an id', (c) => { c.subjects[0].name = '@scope/lib'; }, 'subjects[0].name', "'@scope/lib'", /letters, digits/],
  ['an unknown window', (c) => { c.scenarios[0].aims = ['sleeping']; }, 'scenarios[0].aims[0]', "'sleeping'", /holding/],
  ['a quota of none', (c) => { c.scenarios[0].quotas = { holding: 0 }; }, 'scenarios[0].quotas.holding', '0', /at least 1/],
  ['a variant in no scenario of the campaign', (c) => { c.variants[0].scenarios = ['secnd']; }, 'variants[0].scenarios[0]', "'secnd'", /one of first, second \(did you mean second\?\)/],
  ['a variant that changes nothing', (c) => { delete c.variants[0].strip; }, 'variants[0]', 'any', /strip: \['component'\]/],
  ['an edit without its file', (c) => { c.variants[0].edit = [{ from: 'a', to: 'b' }]; }, 'variants[0].edit[0].file', undefined, /relative to the kernel/],
  ['a scenario for a driver that there is not', (c) => { c.scenarios[0].drivers = ['simulation']; }, 'scenarios[0].drivers[0]', "'simulation'", /\['sim'\] or \['live'\]/],
  ['a component stripped and replaced', (c) => { c.variants[0].replace = { ttl: '' }; }, 'variants[0].strip[0]', "'ttl'", /strip it or replace it/],
  ['an expectation of no known invariant', (c) => { c.variants[0].expect.breaks = ['recover-within']; }, 'variants[0].expect.breaks[0]', "'recover-within'", /did you mean recovers-within\?/],
  ['two expectations', (c) => { c.variants[0].expect.dies = 'x'; }, 'variants[0].expect', 'any', /one of \{ dies/],
  ['an expectation of nothing', (c) => { c.variants[0].expect = { breaks: [] }; }, 'variants[0].expect.breaks', '[]', /one of \{ dies/],
  ['no trials of a variant', (c) => { c.variants[0].trials = 0; }, 'variants[0].trials', '0', /at least 1/],
  ['a known defect of no known invariant', (c) => { c.subjects[0].knownDefects[0].invariant = 'x'; }, 'subjects[0].knownDefects[0].invariant', "'x'", /one of no-duplicate-events/],
  ['a known defect in no known scenario', (c) => { c.subjects[0].knownDefects[0].scenario = 'third'; }, 'subjects[0].knownDefects[0].scenario', "'third'", /one of first, second/],
  ['a known defect at no site', (c) => { c.subjects[0].knownDefects[0].site = ''; }, 'subjects[0].knownDefects[0].site', "''", /as the finding prints it/],
  ['invariants of its own, and an expectation of another', (c) => { c.invariants = [{ name: 'mine', title: 'Mine.', check: () => [], forge: () => null }]; }, 'variants[0].expect.breaks[0]', "'recovers-within'", /one of mine/],
  ['no driver', (c) => { c.timing = {}; }, 'timing', '{}', /at least one driver/],
  ['a driver that there is not', (c) => { c.timing = { simm: c.timing.sim }; }, 'timing.simm', undefined, /did you mean sim\?/],
  ['a deadline below what recovery is allowed', (c) => { c.timing.sim.deadline_ms = 10_000; }, 'timing.sim.deadline_ms', '10000', /more than recovers_within_ms, which is 10000/],
  ['no time to live', (c) => { c.timing.sim.ttl_ms = 0; }, 'timing.sim.ttl_ms', '0', /more than 0/],
  ['reversed seeds', (c) => { c.seeds = '1029-1000'; }, 'seeds', '"1029-1000", with "1029-1000" in it', /1000-1029/],
  ['seeds of another kind', (c) => { c.seeds = { from: 1 }; }, 'seeds', '{ from: 1 }', /'1000-1029', or a list/],
  ['no reason for a robbed session', (c) => { delete c.robbed_reason; }, 'robbed_reason', undefined, /lock-stolen-mid-run/],
  ['a robbed session that is allowed to', (c) => { c.allowed_reasons.push('lock-stolen-mid-run'); }, 'allowed_reasons[1]', "'lock-stolen-mid-run'", /leave it out/],
  ['a misspelt field that must be there', (c) => { c.robed_reason = c.robbed_reason; delete c.robbed_reason; }, 'robed_reason', undefined, /did you mean robbed_reason\?/],
  ['a misspelt field', (c) => { c.scenario = []; }, 'scenario', undefined, /did you mean scenarios\?/],
];

test.each(CASES)('%s', (_what, change, field, given, remedy) => {
  const campaign: Wrong = aCampaign();
  change(campaign);
  const error = errorOf(() => defineCampaign(campaign));
  expect(error).toMatchObject({ field, remedy: expect.stringMatching(remedy) });
  if (given !== 'any') expect(error.given).toBe(given);
  expect(error.message).toContain(field);
  expect(error.message).toContain(error.remedy);
});

test('braces that are no placeholder are left alone', () => {
  const campaign = aCampaign();
  campaign.kernel.command = ['sh', '-c', 'echo ${stat} {a,b} | awk "{print}"'];
  expect(defineCampaign(campaign)).toBe(campaign);
});

test('what is not like any name suggests none', () => {
  expect(nearest('contned', ['contend', 'crash-loop'])).toBe('contend');
  expect(nearest('zzz', ['contend', 'crash-loop'])).toBeNull();
});
