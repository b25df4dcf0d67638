import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const LOADER = fileURLToPath(new URL('../fixtures/load-campaigns.ts', import.meta.url));

const DECLARATION = `{
  name: 'mine', title: 'Mine.', kernel: { command: ['true'] },
  lock: { kind: 'none', covers: () => false, inspect: () => ({ is: 'free' }), steal() {}, expire() {}, corrupt() {} },
  read: () => ({ events: [], work: [], unreadable: [], debris: [] }),
  scenarios: [killAnywhere, stealLock], seeds: '1-3', robbed_reason: 'robbed',
  timing: { sim: { ttl_ms: 1000, deadline_ms: 9000, recovers_within_ms: 5000 } },
}`;
const IMPORTS = `import { type Campaign, defineCampaign, killAnywhere } from 'crash-campaign';
import stealLock from 'crash-campaign/scenarios/steal-lock';
`;
const GOOD = `${IMPORTS}const campaign: Campaign = ${DECLARATION};\nexport default defineCampaign(campaign);\n`;
const GOOD_JS = GOOD.replace('type Campaign, ', '').replace(': Campaign', '');

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'crash-campaign-load-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** In a process of its own, as the command line does: vitest would load the campaigns in its own way. */
async function load(...names: string[]) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [LOADER, ...names], { cwd: folder });
  return {
    results: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>),
    stderr,
  };
}

describe('a campaign that is there', () => {
  test('is found by name, by file and by folder, without node_modules and without package.json', async () => {
    write({ 'campaigns/mine/campaign.ts': GOOD, 'elsewhere/campaign.ts': GOOD, 'plain.mjs': GOOD_JS });
    const { results, stderr } = await load(
      'mine',
      'campaigns/mine',
      './campaigns/mine/campaign.ts',
      join(folder, 'elsewhere'),
      'elsewhere',
      'plain.mjs',
    );
    const found = (path: string) => ({
      name: 'mine',
      file: join(folder, path),
      directory: dirname(join(folder, path)),
      scenarios: ['kill-anywhere', 'steal-lock'],
    });
    expect(results).toEqual([
      ...Array.from({ length: 3 }, () => found('campaigns/mine/campaign.ts')),
      ...Array.from({ length: 2 }, () => found('elsewhere/campaign.ts')),
      found('plain.mjs'),
    ]);
    expect(stderr).toBe('');
  });

  test('is found by the name of the folder that it shares with others of its kind, unless a path leads somewhere', async () => {
    write({ 'campaigns/kind/mine/campaign.ts': GOOD, 'kind/other/campaign.ts': GOOD, 'campaigns/kind/other/campaign.ts': GOOD });
    const { results } = await load('kind/mine', 'kind/other');
    expect(results.map(({ file }) => file)).toEqual(
      ['campaigns/kind/mine/campaign.ts', 'kind/other/campaign.ts'].map((path) => join(folder, path)),
    );
  });

  test.each(['{}', '{"type": "commonjs"}', '{"type": "module"}'])('is a module below a package.json of %s', async (manifest) => {
    write({ 'typed/package.json': manifest, 'typed/campaign.ts': GOOD, 'typed/js/campaign.js': GOOD_JS });
    const { results, stderr } = await load('./typed', './typed/js');
    expect(results).toMatchObject([{ name: 'mine' }, { name: 'mine' }]);
    expect(stderr).toBe('');
  });

  test('gets this instance, whatever is installed beside it', async () => {
    write({
      'project/package.json': '{"type": "commonjs"}',
      'project/node_modules/crash-campaign/package.json': '{"name": "crash-campaign", "main": "index.js"}',
      'project/node_modules/crash-campaign/index.js': 'throw new Error("the other instance")',
      'project/campaign.mts': GOOD,
    });
    const { results } = await load('project');
    expect(results).toMatchObject([{ name: 'mine', scenarios: ['kill-anywhere', 'steal-lock'] }]);
  });
});

const BAD: [what: string, content: string, error: { field?: string; problem?: RegExp; remedy: RegExp }][] = [
  ['an invalid field', GOOD.replace("'1-3'", "'3-1'"), { field: 'seeds', remedy: /smaller seed of a range first/ }],
  [
    'an invalid field, not passed through defineCampaign',
    `${IMPORTS}export default ${DECLARATION.replace("'1-3'", "'3-1'")};`,
    { field: 'seeds', remedy: /smaller seed/ },
  ],
  [
    'a kernel folder that is not there',
    GOOD.replace("command: ['true']", "directory: 'kernels', command: ['true']"),
    { field: 'kernel.directory', remedy: /There is no such folder/ },
  ],
  [
    'no default export',
    GOOD.replace('export default', 'export const campaign2 ='),
    { field: 'the default export', remedy: /export default defineCampaign/ },
  ],
  ['a syntax error', GOOD.replace('export default', 'export defaul'), { problem: /not valid TypeScript/, remedy: /Correct the syntax/ }],
  ['an enum', `${GOOD}enum Colour { Red }\n`, { problem: /not valid TypeScript that node can strip: .*enum/i, remedy: /Enums/ }],
  [
    'a type imported as a value',
    GOOD.replace('type Campaign', 'Campaign'),
    { problem: /does not provide an export named 'Campaign'/, remedy: /import type/ },
  ],
  [
    'an import that is not there',
    `import 'no-such-package-anywhere';\n${GOOD}`,
    { problem: /no-such-package-anywhere/, remedy: /install the package/ },
  ],
  [
    'a scenario that is not there',
    GOOD.replace('scenarios/steal-lock', 'scenarios/steal-lok'),
    { problem: /crash-campaign\/scenarios\/steal-lok/, remedy: /did you mean steal-lock\?/ },
  ],
  [
    'an error at its top level',
    `${GOOD}throw new Error('no key');\n`,
    { problem: /threw an error when it was loaded: no key .*campaign\.ts:\d+/, remedy: /top level/ },
  ],
];

test('one that can not be used is told of in one error, with its file and a remedy', async () => {
  write(Object.fromEntries(BAD.map(([, content], i) => [`bad-${i}/campaign.ts`, content])));
  const { results } = await load(...BAD.map((_, i) => `bad-${i}`));
  expect(results).toHaveLength(BAD.length);
  BAD.forEach(([what, , { field, problem, remedy }], i) => {
    expect(results[i], what).toMatchObject({
      file: join(folder, `bad-${i}/campaign.ts`),
      remedy: expect.stringMatching(remedy),
      ...(field && { field }),
      ...(problem && { problem: expect.stringMatching(problem) }),
    });
    expect(results[i]?.message, what).not.toContain('\n');
  });
});

test('one that lies below node_modules must be JavaScript', async () => {
  write({ 'node_modules/a/campaign.ts': GOOD, 'node_modules/b/campaign.js': GOOD_JS, 'node_modules/b/package.json': '{"type": "module"}' });
  const { results } = await load('./node_modules/a', './node_modules/b');
  expect(results).toMatchObject([
    { problem: 'node runs no TypeScript below node_modules', remedy: expect.stringContaining('JavaScript') },
    { name: 'mine' },
  ]);
});

test('one that imports an ES module which its package.json calls CommonJS', async () => {
  write({
    'common/package.json': '{"type": "commonjs"}',
    'common/part.ts': 'export const part = 1;\n',
    'common/campaign.ts': `import './part.ts';\n${GOOD}`,
  });
  const { results } = await load('common');
  expect(results).toMatchObject([{ problem: expect.stringContaining('is no module'), remedy: expect.stringContaining('.mts') }]);
});

test('one that is named other than its folder, and names and paths that are nothing', async () => {
  write({ 'campaigns/mine/campaign.ts': GOOD, 'campaigns/other/campaign.ts': GOOD, 'empty/README': '' });
  const { results } = await load('other', 'mein', 'quite-different', './campaigns/mine/campain.ts', 'empty', 'no/such');
  expect(results).toMatchObject([
    { field: 'name', given: "'mine'", remedy: "Write the name of its folder, 'other'." },
    { problem: 'there is no campaign mein', remedy: expect.stringMatching(/mine, other.*did you mean mine\?/) },
    { problem: 'there is no campaign quite-different', remedy: expect.not.stringContaining('did you mean') },
    { file: join(folder, 'campaigns/mine/campain.ts'), problem: 'there is no such file' },
    { file: join(folder, 'empty'), problem: 'there is no campaign.ts in that folder' },
    { file: join(folder, 'no/such'), problem: 'there is no such file' },
  ]);
});
