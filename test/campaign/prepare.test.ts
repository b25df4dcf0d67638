import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Campaign, Variant } from '../../src/campaign/campaign.ts';
import { KERNEL_BYTES_MAX, prepareKernel } from '../../src/campaign/prepare.ts';

function aProject(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'prepare-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'target'));
  return root;
}

function prepare(root: string, { kernel = {}, variant = null }: { kernel?: Partial<Campaign['kernel']>; variant?: Variant | null } = {}) {
  const campaign = { kernel: { command: ['node', '{kernel}/kernel.js', '{state}'], ...kernel } };
  return prepareKernel({
    campaign,
    file: join(root, 'app/campaigns/x/campaign.ts'),
    subject: { env: { LIB: '2' } },
    variant,
    target: join(root, 'target'),
  });
}

const run = (directory: string) => execFileSync(process.execPath, [join(directory, 'kernel.js')], { encoding: 'utf8' });

test('bare imports resolve as they did, to each node_modules on the way up, in the same kind of module', async () => {
  const root = aProject({
    'app/package.json': '{"type":"module"}',
    'app/node_modules/near/index.js': 'module.exports = "near";',
    'node_modules/far/index.js': 'module.exports = "far";',
    'node_modules/near/index.js': 'module.exports = "shadowed";',
    'app/campaigns/x/node_modules/own/index.js': 'module.exports = "own";',
    'app/campaigns/x/kernel.js':
      'import near from "near"; import far from "far"; import own from "own"; import { what } from "./lib/what.js"; console.log(near, far, own, what);',
    'app/campaigns/x/lib/what.js': 'export const what = import.meta.url.includes("target") ? "copy" : "original";',
  });
  expect(run((await prepare(root)).directory)).toBe('near far own copy\n');
});

test('a package.json of its own is copied, and CommonJS stays CommonJS', async () => {
  const root = aProject({
    'app/package.json': '{"type":"module"}',
    'app/campaigns/x/package.json': '{}',
    'app/campaigns/x/kernel.js': 'console.log(typeof require);',
  });
  expect(run((await prepare(root)).directory)).toBe('function\n');
});

test('the variant is applied to the copy and to nothing else', async () => {
  const text = '// #component greeting\nconsole.log("hello");\n// #end\n';
  const root = aProject({ 'app/campaigns/x/kernel.js': text });
  const { directory } = await prepare(root, { variant: { name: 'silent', strip: ['greeting'] } });
  expect(run(directory)).toBe('');
  expect(readFileSync(join(root, 'app/campaigns/x/kernel.js'), 'utf8')).toBe(text);
});

test('.git and reports stay behind, links lead where they led', async () => {
  const root = aProject({
    'app/campaigns/x/kernel.js': '',
    'app/campaigns/x/.git/HEAD': '',
    'app/campaigns/x/reports/r': '',
    'app/data': 'far away',
  });
  symlinkSync('../../data', join(root, 'app/campaigns/x/data'));
  const { directory } = await prepare(root);
  expect(['.git', 'reports', 'kernel.js'].filter((name) => existsSync(join(directory, name)))).toEqual(['kernel.js']);
  expect(readFileSync(join(directory, 'data'), 'utf8')).toBe('far away');
});

test('a folder that is too large is refused', async () => {
  const root = aProject({ 'app/campaigns/x/kernel.js': '', 'app/campaigns/x/dump': '' });
  truncateSync(join(root, 'app/campaigns/x/dump'), KERNEL_BYTES_MAX + 1);
  await expect(prepare(root)).rejects.toThrow(`has more than ${KERNEL_BYTES_MAX} bytes`);
});

test('command and environment are filled in', async () => {
  const root = aProject({ 'app/kernels/k.py': '' });
  const kernel = {
    directory: '../../kernels',
    command: ['python3', '{kernel}/k.py', '--ttl={ttl_ms}', '${state}', '{other}'],
    env: { TTL: '{ttl_ms}', LIB: '1' },
  };
  const { directory, expand } = await prepare(root, { kernel });
  expect(expand({ state: '/s', ttl_ms: 300 })).toEqual({
    command: ['python3', `${directory}/k.py`, '--ttl=300', '${state}', '{other}'],
    env: { TTL: '300', LIB: '2' },
  });
});

test("`node` is this process's own", async () => {
  const root = aProject({ 'app/campaigns/x/kernel.js': '' });
  const { directory, expand } = await prepare(root);
  expect(expand({ state: '/s', ttl_ms: 1 }).command).toEqual([process.execPath, join(directory, 'kernel.js'), '/s']);
});

test('of a folder with much else, what is named is copied, and what is not there is an error', async () => {
  const root = aProject({
    'app/campaigns/x/kernel.js': 'console.log(require("./lib/one.js"));',
    'app/campaigns/x/lib/one.js': 'module.exports = 1;',
    'app/campaigns/x/library/two.js': '',
    'app/campaigns/x/other.js': '',
  });
  const { directory } = await prepare(root, { kernel: { files: ['kernel.js', './lib/'] } });
  expect(run(directory)).toBe('1\n');
  expect(['library', 'other.js'].filter((name) => existsSync(join(directory, name)))).toEqual([]);
  await expect(prepare(aProject({ 'app/campaigns/x/kernel.js': '' }), { kernel: { files: ['kernel.ts'] } })).rejects.toThrow(
    /kernel\.files is 'kernel\.ts'\. There is no such file/,
  );
});
