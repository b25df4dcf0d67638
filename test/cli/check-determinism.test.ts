import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, TOY } from './cli.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-determinism-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function check(campaign: string) {
  const out = join(directory, campaign.replaceAll('/', '-'));
  const { exitCode, stdout, stderr } = await cli(['run', campaign, '--seeds', '1', '--check-determinism', '--json', '--out', out]);
  return { exitCode, stderr, out, summary: JSON.parse(String(stdout)) };
}

describe.concurrent('run --check-determinism', () => {
  test('a kernel that repeats passes, and its controls and its null campaign are run twice too', async () => {
    const { exitCode, summary, stderr } = await check(TOY);
    expect(exitCode).toBe(0);
    expect(summary.determinism).toEqual({ checked: 3, different: [], uncontrolled: [] });
    expect(stderr).toMatch(/^3 trials run twice: 3 with the same history$/m);
  });

  test('one that does not is no pass: the first entry that differs is told, and told again by report', async () => {
    const { exitCode, summary, out } = await check('test/fixtures/cli/toy-unrepeatable');
    expect({ exitCode, verdict: summary.verdict }).toEqual({ exitCode: 2, verdict: 'void' });
    expect(summary.determinism).toMatchObject({ checked: 2, uncontrolled: [] });
    expect(summary.determinism.different).toHaveLength(2);
    const [{ difference }] = summary.determinism.different;
    expect(difference).toMatchObject({
      session: 's1',
      before: { type: 'operation', kind: 'write', path: 'ledger', n: expect.any(Number) },
    });
    expect({ ...difference.before, sum: difference.after.sum, bytes: difference.after.bytes }).toEqual(difference.after);
    expect(summary.reasons[0]).toMatch(
      /^determinism bug: 2 of 2 trials .* toy-unrepeatable\/\S+ parts with s1 at \d\.\d{3} s, entry \d+: write ledger, .*sum "\w+" and then "\w+"/,
    );
    expect(await cli(['report', out])).toMatchObject({
      exitCode: 2,
      stdout: expect.stringMatching(/2 trials run twice: 0 .* 2 with another/),
    });
  });

  test('trials with something in them that is not simulated are not compared, but listed', async () => {
    const { summary, stderr } = await check('test/fixtures/cli/toy-uncontrolled');
    expect(summary.determinism).toMatchObject({ checked: 0, different: [] });
    expect(summary.determinism.uncontrolled).toHaveLength(2);
    expect(stderr).toMatch(/toy-uncontrolled\/kill-at-third-event\/\S+: a child process/);
  });

  test('under live it is refused', async () => {
    const result = await cli(['run', TOY, '--check-determinism', '--driver', 'live', '--out', join(directory, 'live')]);
    expect(result).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('--check-determinism is for --driver sim') });
  });
});
