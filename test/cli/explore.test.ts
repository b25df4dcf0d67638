import { expect, test } from 'vitest';
import { cli, TOY } from './cli.ts';

const TWO_LINES = 'test/fixtures/search/two-lines';

test('--json prints one object, and a sample is told as such', async () => {
  const { stdout, stderr, exitCode } = await cli(['explore', TWO_LINES, '--budget', '2', '--json']);
  const summary = JSON.parse(stdout as string);
  expect(summary).toMatchObject({
    schema: 'crash-campaign/explore@1',
    campaign: 'two-lines',
    subject: 'two-lines',
    verdict: 'pass',
    exitCode: 0,
  });
  expect(summary.levels).toMatchObject([{ depth: 1, tried: 2 }]);
  expect(summary.recovered).toBe(2);
  expect(stderr).toContain('2 of them tried, seed 1');
  expect(stderr).not.toContain('all recovered');
  expect(exitCode).toBe(0);
});

test('a finding is told with its plan and the command that replays it, and is exit code 1', async () => {
  const { stdout, exitCode } = await cli(['explore', TWO_LINES, '--scenario', 'two-sessions', '--schedules', 'bounded', '--budget', '8']);
  expect(stdout).toMatch(/broken {2}no-foreign-release by two-lines/);
  expect(stdout).toMatch(/replay {2}npx crash-campaign replay .*two-lines --scenario two-sessions .*--plan 'cast=2 {2}/);
  expect(exitCode).toBe(1);
});

test.each([
  ['live', [TOY, '--driver', 'live'], 'needs the sim driver'],
  ['schedules of one session', [TOY, '--schedules', 'pct'], 'add --scenario'],
  ['three crashes', [TOY, '--depth', '3'], '--depth 3 is too deep'],
  ['an unknown scenario', [TOY, '--scenario', 'x'], 'there is no scenario x'],
])('%s: one clear error and exit code 64', async (_, args, message) => {
  const { stderr, exitCode } = await cli(['explore', ...args]);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(64);
});
