import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Campaign } from '../../src/campaign/campaign.ts';
import { printBaseline, readBaseline } from '../../src/gate/baseline.ts';
import type { GateOptions, GateOutcome } from '../../src/gate/run-gate.ts';
import { requireValid } from '../report/valid.ts';
import { gateOver, loaded, planted } from './gate-over.ts';

let directory: string;
let file: string;
let written: GateOutcome;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-gate-'));
  file = join(directory, 'baselines', 'gated.json');
  written = await gate({}, { is: 'update', file });
});
afterAll(() => rm(directory, { recursive: true }));

let runs = 0;

/** A gate over the campaign as it is, or with something changed in it. */
function gate(change: Partial<Campaign>, compareWith: GateOptions['with'] = { is: 'baseline', file }): Promise<GateOutcome> {
  return gateOver(change, compareWith, join(directory, `run-${++runs}`));
}

describe('a baseline', () => {
  test('is written from a run that passes: small, sorted, and the same when it is written again', async () => {
    expect(written.gate).toMatchObject({ verdict: 'pass', exitCode: 0, compare: null, against: { is: 'nothing' } });
    const baseline = await readBaseline(file);
    requireValid('baseline-1', baseline);
    expect(baseline).toMatchObject({
      campaign: 'gated',
      driver: 'sim',
      seeds: '17-24',
      plans: expect.stringMatching(/^[0-9a-f]{64}$/),
      deadline_ms: 5000,
      subjects: [{ name: 'gated', scenarios: [{ name: 'kill-while-holding' }] }],
    });
    expect(baseline?.subjects[0]?.scenarios[0]?.trials.map(({ seed }) => seed)).toEqual([17, 18, 19, 20, 21, 22, 23, 24]);
    const text = await readFile(file, 'utf8');
    if (baseline) expect(printBaseline(baseline)).toBe(text);
    expect(text).toMatch(/^ +\{"seed":17,"recovery_ms":\d+\.?\d*,"left_lock_behind":true,"duration_ms":\d+\.?\d*\},$/m);
  });

  test('of another campaign, driver or seeds is refused before anything is run, and that is said', async () => {
    const refused = async (change: Record<string, unknown>) => {
      const other = join(directory, 'other.json');
      await writeFile(other, JSON.stringify({ ...(await readBaseline(file)), ...change }));
      return gate({}, { is: 'baseline', file: other });
    };
    const before = runs;
    await expect(refused({ campaign: 'gates' })).rejects.toThrow(/made from other plans: its campaign is gates, and now gated/);
    await expect(refused({ driver: 'live' })).rejects.toThrow(/its driver is live, and now sim/);
    await expect(refused({ seeds: '1-8' })).rejects.toThrow(/its seeds are 1-8, and now 17-24/);
    await expect(refused({ schema: 'crash-campaign/baseline@9' })).rejects.toThrow(/baseline@9/);
    await expect(refused({ subjects: [{}] })).rejects.toThrow(/it is not whole: subjects\.0\.name/);
    for (let run = before + 1; run <= runs; run++)
      await expect(readFile(join(directory, `run-${run}`, 'run.json'))).rejects.toThrow(/ENOENT/);
  });

  test('of other plans is refused, and what the run says stands', async () => {
    const other = join(directory, 'other-plans.json');
    await writeFile(other, JSON.stringify({ ...(await readBaseline(file)), plans: '0'.repeat(64) }));
    const { gate: refused } = await gate({}, { is: 'baseline', file: other });
    expect(refused).toMatchObject({ verdict: 'void', exitCode: 2, compare: null, run: { verdict: 'pass' } });
    expect(refused.reasons).toEqual([
      expect.stringMatching(/other-plans\.json was made from other plans .*--against <git-ref>, .*--update/),
    ]);
  });

  test('that is not there is asked for', async () => {
    await expect(gate({}, { is: 'baseline', file: join(directory, 'none.json') })).rejects.toThrow(/no baseline .*none\.json.*--update/);
  });

  test('is left as it is by a run that is no pass', async () => {
    const before = await readFile(file, 'utf8');
    const { gate: failed } = await gate(planted('forgetful'), { is: 'update', file });
    expect(failed).toMatchObject({ verdict: 'fail', exitCode: 1, notes: expect.arrayContaining([expect.stringMatching(/left as it is/)]) });
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('a gate against a baseline', () => {
  test('passes the kernel that it was made of, seed for seed', async () => {
    const { gate: passed, records } = await gate(planted('nothing'));
    requireValid('gate-1', passed);
    for (const record of records) requireValid('trial-1', record);
    expect(passed).toMatchObject({
      verdict: 'pass',
      exitCode: 0,
      reasons: [],
      next: [],
      against: { is: 'baseline', file },
      run: { verdict: 'pass' },
      compare: { decision: 'ok', seeds: { exact: { same: 8, slower: 0, faster: 0 } } },
    });
  });

  test.each([
    ['a takeover that is slower by a fifth', 'slow-takeover', /^recovery after kills that leave the lock behind changed by \+(39|40)\./],
    ['a lease that is longer by a tenth', 'longer-lease', /^recovery after kills that leave the lock behind changed by \+[12]\d/],
  ])('fails %s', async (_, plant, reason) => {
    const { gate: failed } = await gate(planted(plant));
    requireValid('gate-1', failed);
    expect(failed).toMatchObject({
      verdict: 'fail',
      exitCode: 1,
      run: { verdict: 'pass' },
      compare: { decision: 'regressed', seeds: { exact: { slower: 8 } } },
      reasons: expect.arrayContaining([expect.stringMatching(reason)]),
      next: [
        expect.stringMatching(/^see the seed that slowed down most: npx crash-campaign replay .* --timeline$/),
        expect.stringMatching(/--update/),
      ],
    });
  });

  test('fails a kernel that never recovers from one kill in fifty', async () => {
    const { gate: failed } = await gate(planted('never'));
    expect(failed).toMatchObject({ verdict: 'fail', exitCode: 1, compare: { decision: 'regressed' } });
    expect(failed.reasons).toContainEqual(
      expect.stringMatching(/^the share of trials that never recover went from 0 to 1 of 8: no margin/),
    );
    expect(failed.reasons[0]).toMatch(/^gated broke (finishes|recovers-within)/);
  });

  test('fails a broken invariant, and says so before anything else', async () => {
    // Its fault-free run has an operation less, so that its plans are others and the baseline is refused besides.
    const { gate: failed } = await gate(planted('forgetful'));
    requireValid('gate-1', failed);
    expect(failed).toMatchObject({ verdict: 'fail', exitCode: 1, run: { verdict: 'fail' } });
    expect(failed.reasons[0]).toMatch(/^gated broke no-duplicate-events in 8 trials/);
    expect(failed.next[0]).toMatch(/^see what breaks: npx crash-campaign replay .* --timeline$/);
  });

  test('is blind when a control is not caught, however fast recovery is', async () => {
    const [variant] = loaded.campaign.variants ?? [];
    const { gate: blind } = await gate({
      variants: [
        {
          name: 'without-resume',
          expect: { breaks: ['no-duplicate-events'] },
          trials: 1,
          replace: { resume: "const first = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\\n').length - 1 : 0;" },
        },
      ],
    });
    expect(variant).toBeDefined();
    expect(blind).toMatchObject({ verdict: 'blind', exitCode: 3, compare: { decision: 'ok' } });
  });
});
