import { expect, test } from 'vitest';
import { CampaignError } from '../../src/campaign/campaign-error.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import { parsePackage } from '../../src/campaign/package-spec.ts';
import { aCampaign } from './a-campaign.ts';

test.each([
  ['lockfile@1.0.4', { name: 'lockfile', version: '1.0.4' }],
  ['@workflow/world-local@5.0.0-beta.46', { name: '@workflow/world-local', version: '5.0.0-beta.46' }],
  ['a.b_c@1.0.0-rc.1+build.5', { name: 'a.b_c', version: '1.0.0-rc.1+build.5' }],
])('%s is a package in one version', (spec, parts) => expect(parsePackage(spec)).toEqual(parts));

const NONE = [
  'lockfile',
  'lockfile@',
  'lockfile@latest',
  'lockfile@^1.0.4',
  'lockfile@1',
  'lockfile@1.0.x',
  '@1.0.0',
  '../x@1.0.0',
  'git+ssh://x@1.0.0',
];

test.each(NONE)('%s is refused, with what to write', (spec) => {
  const campaign = { ...aCampaign(), subjects: [{ name: 'one', package: spec }] };
  expect(() => defineCampaign(campaign)).toThrow(CampaignError);
  expect(() => defineCampaign(campaign)).toThrow(
    /subjects\[0\]\.package is '.*'\. Write a package of npm with one exact version, e\.g\. lockfile@1\.0\.4/,
  );
  expect(() => defineCampaign({ ...campaign, subjects: [{ name: 'one', package: ['lockfile@1.0.4', spec] }] })).toThrow(
    /Write a package of npm/,
  );
});

test('one name in two versions is refused', () => {
  const campaign = { ...aCampaign(), subjects: [{ name: 'one', package: ['lockfile@1.0.4', 'lockfile@1.0.3'] }] };
  expect(() => defineCampaign(campaign)).toThrow(/subjects\[0\]\.package\[1\].*leave the other out/);
});

test('a scenario that does not apply must be one of the campaign', () => {
  const campaign = { ...aCampaign(), subjects: [{ name: 'one', notApplicable: { frist: 'it has no lease' } }] };
  expect(() => defineCampaign(campaign)).toThrow(/did you mean first\?/);
});
