import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/crash-campaign.js', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/init', import.meta.url));

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'crash-campaign-init-'));
  cpSync(fixtures, join(project, 'tools'), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

const crashCampaign = (...args: string[]) => execa(process.execPath, [bin, ...args], { cwd: project, reject: false, stdin: 'ignore' });

test('over a program that writes a temporary file and renames it: what came and went is no event, and the run is green', async () => {
  const made = await crashCampaign('init', '--name', 'rewrites', '--', 'node', 'tools/rewrites.mjs');
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('it left 1 event behind, in ') });
  const { stdout, exitCode } = await crashCampaign('run', 'rewrites', '--seeds', '1-3', '--json');
  expect(exitCode, stdout).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'pass', controls: [{ variant: 'throws-away', met: true }] });
});

test('over a program that acknowledges what no line says: that is not judged, and is said', async () => {
  const made = await crashCampaign('init', '--name', 'acks', '--', 'node', 'tools/acknowledges.mjs');
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/acknowledges mail \(@crash ack\).*“jobs: {"job":"mail"}”/) });
  const { stdout, exitCode } = await crashCampaign('run', 'acks', '--seeds', '1-2', '--json');
  expect(exitCode, stdout).toBe(0);
});

test('what it does and may take is said before it is done; and what need not be done is not told', async () => {
  writeFileSync(join(project, '.gitignore'), 'reports/runs/\n');
  const { stdout, stderr } = await crashCampaign('init', '--name', 'third', '--', 'node', 'tools/acknowledges.mjs');
  expect(stderr).toMatch(/^running it on the real clock.* up to 120 s …\nrunning it in the simulation …\nit left 3 events behind/);
  expect(stdout).not.toContain('see that');
  writeFileSync(join(project, '.gitignore'), 'node_modules\n');
  expect((await crashCampaign('init', '--name', 'fourth')).stdout).toContain('see that .gitignore has reports/runs');
});

describe('the times of a campaign leave room', () => {
  test('for a lease of its own, which nobody has told us of', async () => {
    expect(await crashCampaign('init', '--name', 'leases', '--', 'node', 'tools/leases.mjs')).toMatchObject({ exitCode: 0 });
    const { stdout, exitCode } = await crashCampaign('run', 'leases', '--seeds', '1-2', '--json');
    expect(exitCode, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ controls: [{ variant: 'throws-away', met: true }] });
  });

  test('for as many leases as crash-loop has waited for', async () => {
    await crashCampaign('init', '--name', 'loops');
    const file = join(project, 'campaigns/loops/campaign.ts');
    const text = readFileSync(file, 'utf8')
      .replace('contend, ', 'contend, crashLoop, ')
      .replace(/scenarios: \[killAnywhere,/, 'scenarios: [crashLoop,');
    writeFileSync(file, text);
    const run = ['run', 'loops', '--scenario', 'crash-loop', '--seeds', '1-10', '--no-controls', '--json'];
    const { stdout, exitCode } = await crashCampaign(...run);
    expect(exitCode, stdout).toBe(0);
  });
});
