import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from '../../cli/cli.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-run-directory-'));
});
afterAll(() => rm(directory, { recursive: true }));

const SCENARIOS = ['kill-while-holding', 'pause-in-append', 'power-cut-in-append', 'contend'];
/** With two seeds each of these is caught. */
const CONTROLS = ['without-run-lock', 'without-new-inode', 'without-fsync', 'without-rename', 'without-lease'];

test('what a harness does to its run directory holds, and what is taken out of it is missed', async () => {
  const args = [
    '--seeds',
    '1-2',
    '--scenario',
    SCENARIOS.join(','),
    '--variant',
    CONTROLS.join(','),
    '--out',
    join(directory, 'run'),
    '--json',
  ];
  const { stdout, stderr } = await cli(['run', 'run-directory', ...args]);
  const { verdict, controls, trials } = JSON.parse(String(stdout));
  expect({ verdict, trials }, String(stderr)).toEqual({ verdict: 'pass', trials: { total: 8, held: 8, broken: 0, void: 0 } });
  const caught = controls.filter(({ met }: { met: boolean }) => met).map(({ variant }: { variant: string }) => variant);
  expect(caught).toEqual(CONTROLS);
}, 300_000);

test('a crash at a sample of its operations', async () => {
  const { exitCode, stderr } = await cli(['explore', 'run-directory', '--budget', '8']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});
