import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './cli.ts';

const fixtures = fileURLToPath(new URL('../fixtures/init', import.meta.url));

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'crash-campaign-init-'));
  cpSync(fixtures, join(project, 'tools'), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

const crashCampaign = (...args: string[]) => cli(args, { cwd: project });

test('over a program that writes a temporary file and renames it: what came and went is no event, and the run is green', async () => {
  const made = await crashCampaign('init', '--name', 'rewrites', '--', 'node', 'tools/rewrites.mjs');
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('it left 1 event behind') });
  const { stdout, exitCode } = await crashCampaign('run', 'rewrites', '--seeds', '1-3', '--json');
  expect(exitCode, String(stdout)).toBe(0);
  expect(JSON.parse(String(stdout))).toMatchObject({ verdict: 'pass', controls: [{ variant: 'throws-away', met: true }] });
});
