import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LoadedCampaign, loadCampaign } from '../../src/campaign/load.ts';
import { withBench } from '../../src/campaign-run/bench.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import type { ExploreOptions } from '../../src/search/explore-summary.ts';
import { explore } from '../../src/search/explorer.ts';

const target = fileURLToPath(new URL('../fixtures/search/two-lines', import.meta.url));
let campaign: LoadedCampaign;

beforeAll(async () => {
  campaign = await loadCampaign(target);
});

/** The summary, and the records of its trials in the order in which they ended. */
async function explored(options: Partial<ExploreOptions>) {
  const records: TrialRecord[] = [];
  const summary = await explore({
    campaign,
    target,
    search: 'crashes',
    crash: 'kill',
    subject: 'two-lines',
    variant: null,
    scenario: null,
    seed: 1,
    depth: 1,
    budget: Infinity,
    workers: 2,
    onTrial: ({ record }) => records.push(record),
    ...options,
  });
  return { summary, records };
}

describe('crashes', () => {
  test('every operation is crashed before, after and torn, and states that are the same are recovered once', async () => {
    const { summary, records } = await explored({});
    expect(summary).toMatchObject({ verdict: 'pass', exitCode: 0, void: 0, findings: [] });
    const { operations, points, states, recovered } = summary;
    expect(points).toBeGreaterThanOrEqual(2 * operations);
    expect(states).toBeLessThan(points / 2);
    expect(recovered).toBe(states);
    expect(records.map(({ kills }) => kills.length)).toEqual(records.map(() => 1));
    const tears = records.filter(({ plan }) => plan.includes(':tear='));
    // Two writes of four and eight bytes: `0 s1` and a line feed, and both lines.
    expect(tears.map(({ plan }) => plan.replace(/.*:/, '')).sort()).toEqual(['tear=1', 'tear=1', 'tear=2', 'tear=4', 'tear=5', 'tear=9']);
  });

  test('a kernel that writes in place is found, and the plan that is given breaks it again', async () => {
    const { summary } = await explored({ variant: 'in-place' });
    expect(summary).toMatchObject({ verdict: 'fail', exitCode: 1, variant: 'in-place' });
    const finding = summary.findings.find(({ invariant }) => invariant === 'state-parses');
    expect(finding).toMatchObject({ steps: 1, known: false, plan: expect.stringMatching(/^s1@op#\d+:tear=1$/) });
    expect(finding?.replay).toContain(`--variant in-place --seed 1 --plan '${finding?.plan}'`);
    const about = { subject: 'two-lines', variant: 'in-place', scenario: 'no-faults', seed: 1 };
    const again = await withBench({ campaign, driver: 'sim', variants: ['in-place'] }, ({ run }) =>
      run(about, parsePlan(finding?.plan ?? '')),
    );
    expect(again.record.violations.map(({ message }) => message)).toContain(finding?.message);
  });

  test('a power cut takes back what was not synced, though a kill does not', async () => {
    const { summary, records } = await explored({ crash: 'power-cut' });
    expect(records.map(({ plan }) => plan.replace(/^s1@op#\d+:/, ''))).toEqual(records.map(() => 'power-cut'));
    expect(summary.findings.map(({ invariant }) => invariant)).toContain('no-lost-acks');
  });

  test('recoveries are crashed too, a sample of them when the budget is smaller', async () => {
    const first = await explored({ depth: 2, budget: 23 });
    const [one, two] = first.summary.levels;
    expect(two).toMatchObject({ depth: 2, tried: 23 - (one?.states ?? 0) });
    expect(two?.states).toBeGreaterThan(two?.tried ?? Infinity);
    const twice = first.records.slice(one?.tried);
    expect(twice.map(({ kills }) => kills.length)).toEqual(twice.map(() => 2));
    expect(first.summary.verdict).toBe('pass');
  });
});

describe('schedules', () => {
  test('a release that frees a successor’s lock is found by one deviation', async () => {
    const { summary } = await explored({ search: 'bounded', scenario: 'two-sessions', budget: 8 });
    const finding = summary.findings.find(({ invariant }) => invariant === 'no-foreign-release');
    expect(finding).toMatchObject({ steps: 1, plan: expect.stringContaining('rmdir(lock)#1:pause=until:') });
    expect(summary).toMatchObject({ verdict: 'fail', void: 0, levels: [{ depth: 1, tried: 8 }] });
    expect(summary.pairs?.tried).toBeGreaterThan(0);
    expect(summary.pairs?.tried).toBeLessThan(summary.pairs?.of ?? 0);
  });

  test('a sample is drawn from its seed, and states a bound', async () => {
    const plans = async (seed: number) => {
      const { summary, records } = await explored({ search: 'pct', scenario: 'two-sessions', depth: 2, budget: 4, workers: 1, seed });
      expect(summary.bound?.trials).toBe(records.filter(({ verdict }) => verdict !== 'void').length);
      return records.map(({ plan }) => plan);
    };
    const drawn = await plans(1);
    expect(drawn).toHaveLength(4);
    // Now the one goes first, now the other.
    const swapped = drawn.filter((plan) => plan.includes('s1@op#1:yield=s2'));
    expect([0, drawn.length]).not.toContain(swapped.length);
    expect(await plans(1)).toEqual(drawn);
    expect(await plans(2)).not.toEqual(drawn);
  });

  test('where nobody contends there is nothing to try, and that is no pass', async () => {
    const { summary } = await explored({ search: 'bounded', scenario: 'no-faults' });
    expect(summary).toMatchObject({ points: 0, states: 0, verdict: 'void', exitCode: 2 });
  });
});
