import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import campaign from '../../../campaigns/run-directory/campaign.ts';
import { cli } from '../../cli/cli.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-run-directory-'));
});
afterAll(() => rm(directory, { recursive: true }));

const SCENARIOS = ['kill-while-holding', 'takeover-after-expiry', 'pause-in-append', 'power-cut-in-append', 'contend'];

test('what a harness does to its run directory holds, and what is taken out of it is missed', async () => {
  const args = ['--seeds', '1-2', '--scenario', SCENARIOS.join(','), '--out', join(directory, 'run'), '--json'];
  const { stdout, stderr } = await cli(['run', 'run-directory', ...args]);
  const { verdict, controls, trials } = JSON.parse(String(stdout));
  expect({ verdict, trials }, String(stderr)).toEqual({ verdict: 'pass', trials: { total: 10, held: 10, broken: 0, void: 0 } });
  const caught = controls.filter(({ met }: { met: boolean }) => met).map(({ variant }: { variant: string }) => variant);
  expect(caught).toEqual(campaign.variants?.map(({ name }) => name));
});

test('a crash at a sample of its operations', async () => {
  const { exitCode, stderr } = await cli(['explore', 'run-directory', '--budget', '8']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});
