import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, TOY } from './cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-room-'));
});
afterAll(() => rm(directory, { recursive: true }));

const digestOf = (stdout: unknown) => JSON.parse(String(stdout)).digest;

test('a run that finds no room for a record stops with a clear word, and is gone on with when there is some', async () => {
  const run = ['run', TOY, '--seeds', '1-6', '--workers', '1', '--keep', 'none', '--json'];
  const out = join(directory, 'run');
  // The limit on the size of files, in KiB, stands for a full disk: it needs no rights.
  const limited = `ulimit -f 10; exec "${process.execPath}" bin/crash-campaign.js "$@"`;
  const stopped = await execa('bash', ['-c', limited, 'limited', ...run, '--out', out], { cwd: root, reject: false, stdin: 'ignore' });
  expect(stopped).toMatchObject({ exitCode: 70, stdout: '' });
  expect(stopped.stderr).toMatch(/^crash-campaign: a file has grown to the limit that this process has \(EFBIG .*Raise it: ulimit -f\./m);
  expect(stopped.stderr).toContain(`Then go on with the run: npx crash-campaign run --resume ${out}`);
  const report = await cli(['report', out]);
  expect(report).toMatchObject({ exitCode: 130, stdout: expect.stringMatching(/Go on\s+with it/) });

  const [resumed, whole] = [await cli(['run', '--resume', out, '--json']), await cli([...run, '--out', join(directory, 'whole')])];
  expect({ exitCode: resumed.exitCode, digest: digestOf(resumed.stdout) }).toEqual({ exitCode: 0, digest: digestOf(whole.stdout) });
});

test('so does one that can open no more files for its kernels', async () => {
  const out = join(directory, 'few-files');
  const limited = `ulimit -n 40; exec "${process.execPath}" bin/crash-campaign.js "$@"`;
  const run = ['run', TOY, '--seeds', '1-20', '--workers', '20', '--no-controls', '--out', out];
  const stopped = await execa('bash', ['-c', limited, 'limited', ...run], { cwd: root, reject: false, stdin: 'ignore' });
  expect(stopped).toMatchObject({ exitCode: 70, stdout: '' });
  expect(stopped.stderr).toMatch(/^crash-campaign: this process has as many files open as it may \(EMFILE.*Raise the limit \(ulimit -n\)/m);
  expect(stopped.stderr).toContain(`Then go on with the run: npx crash-campaign run --resume ${out}`);
});
