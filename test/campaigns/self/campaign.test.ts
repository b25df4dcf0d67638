import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { cli } from '../../cli/cli.ts';

const KILLS = fileURLToPath(new URL('../../../campaigns/self/kills.ts', import.meta.url));
const kill = async (...args: string[]) => JSON.parse((await execa(process.execPath, [KILLS, ...args], { reject: false })).stdout);

describe('a harness that is killed at random moments, and gone on with', () => {
  test('loses no trial, doubles none, and leaves nothing running', async () => {
    expect(await kill('--kills', '2', '--driver', 'sim')).toMatchObject({ problems: [] });
  }, 300_000);

  test('with nothing to see that it is dead, it leaves something running', async () => {
    const { problems } = await kill('--kills', '1', '--driver', 'live', '--variant', 'without-reaper');
    expect(problems).toContain('left running: sleep 600');
  }, 300_000);
});

test('the campaign: a harness that is killed when it has recorded three trials', async () => {
  const args = ['--subject', 'runs-sim', '--scenario', 'kill-anywhere', '--seed', '1', '--plan', 's1@event#3:kill'];
  const { exitCode, stdout, stderr } = await cli(['replay', 'self', ...args]);
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
}, 300_000);
