import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { cli, TOY } from './cli.ts';

describe.concurrent('what is wrong is said in one line, with what to write, and is 64', () => {
  test.each([
    ['no command', [], /Usage: crash-campaign/],
    ['unknown command', ['rum'], /unknown command 'rum'.*\n?.*Did you mean run\?/],
    ['unknown option', ['run', TOY, '--sed', '1'], /unknown option '--sed'.*\n?.*Did you mean --seed/],
    ['unknown campaign', ['run', 'ingestt'], /there is no campaign ingestt/],
    ['bad seeds', ['run', TOY, '--seeds', 'abc'], /--seeds is "abc".*1000-1029/],
    ['bad number of workers', ['run', TOY, '--workers', '0'], /Write a whole number from 1/],
    ['too many workers', ['run', TOY, '--workers', '1e9'], /Write a whole number up to 1024/],
    ['bad database of the queue', ['worker', TOY, '--queue', 'redis://127.0.0.1:6379/abc'], /DATABASE, a number/],
    ['bad driver', ['run', TOY, '--driver', 'dream'], /Allowed choices are sim, live/],
    [
      'unknown service',
      ['run', TOY, '--service', 'etc=http://127.0.0.1:1'],
      /Write one of etcd, postgres, redis, redis-aof and its address/,
    ],
    ['address of another service', ['run', TOY, '--service', 'postgres=http://127.0.0.1:1'], /postgres=postgresql:\/\//],
    ['driver without timing', ['run', `${TOY}-missed`, '--driver', 'live'], /campaign toy-missed has no timing for --driver live.*use sim/],
    [
      'unknown scenario',
      ['run', TOY, '--scenario', 'kill-at-third-evnt'],
      /there is no scenario kill-at-third-evnt.*did you mean kill-at-third-event/,
    ],
    ['unknown variant', ['run', TOY, '--variant', 'without-resum'], /there is no variant without-resum.*did you mean without-resume/],
    ['unknown subject', ['run', TOY, '--subject', 'x'], /there is no subject x.*toy/],
    ['replay of nothing', ['replay', TOY], /which trial\?/],
    ['seed without scenario', ['replay', TOY, '--seed', '1'], /add --scenario.*kill-at-third-event/],
    ['bad plan', ['replay', TOY, '--plan', 's1@op#3:kil'], /fault plan, column/],
    ['record that is not there', ['replay', TOY, '--record', 'none.ndjson'], /none\.ndjson: there is no such file/],
    ['run directory that is not there', ['report', 'none'], /there is no such file/],
  ])('%s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await cli(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr).not.toContain('\u001b');
  });
});

describe.concurrent('what the shell around it lacks is said in one line', () => {
  test.each([
    ['a stdout with no room', '"$@" >/dev/full', 70, /^crash-campaign: stdout can't be written to: ENOSPC[^\n]*$/],
    [
      'a working directory that is gone',
      'd=$(mktemp -d); cd "$d"; rmdir "$d"; "$@"',
      64,
      /^crash-campaign: the working directory has been removed[^\n]*$/,
    ],
  ])('%s', async (_, script, code, message) => {
    const bin = fileURLToPath(new URL('../../bin/crash-campaign.js', import.meta.url));
    const { exitCode, stderr } = await execa('sh', ['-c', script, 'sh', process.execPath, bin, 'list'], { reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(message) });
  });
});

describe.concurrent('help', () => {
  test('names every command and the exit codes', async () => {
    const { exitCode, stdout, stderr } = await cli(['--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const command of ['run', 'replay', 'shrink', 'report', 'list', 'doctor'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toMatch(/3 blind/);
  });

  test.each(['run', 'replay', 'shrink', 'report', 'list', 'doctor'])('%s shows by example', async (command) => {
    const { exitCode, stdout } = await cli([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ +\\$ crash-campaign ${command}`, 'm'));
    expect(
      Math.max(
        ...String(stdout)
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(100);
  });

  test('version', async () => {
    expect(await cli(['--version'])).toMatchObject({ exitCode: 0, stdout: packageJson.version });
  });
});

describe.concurrent('list and doctor', () => {
  test('list tells what is in a campaign', async () => {
    const { exitCode, stdout } = await cli(['list', TOY]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/kill-at-third-event +The session is killed when its third event/);
    expect(stdout).toMatch(/without-resume +must break no-duplicate-events/);
    expect(stdout).toMatch(/^windows +idle, acquiring/m);
  });

  test('list for machines', async () => {
    const { stdout, stderr } = await cli(['list', TOY, '--json']);
    expect(stderr).toBe('');
    expect(JSON.parse(String(stdout))).toMatchObject({
      campaigns: [{ name: 'toy', drivers: ['sim', 'live'], scenarios: [{ name: 'kill-at-third-event' }] }],
    });
  });

  test('doctor tells which node runs', async () => {
    const { exitCode, stdout } = await cli(['doctor', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(String(stdout)).findings[0]).toMatchObject({ what: 'node', found: process.version });
  });
});
