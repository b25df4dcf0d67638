import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LoadedCampaign, loadCampaign } from '../../src/campaign/load.ts';
import { type Bench, withBench } from '../../src/campaign-run/bench.ts';
import type { Entry } from '../../src/history/history.ts';
import { fingerprintOf } from '../../src/judge/fingerprint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { printPlan } from '../../src/plan/print.ts';
import { atSites } from '../../src/search/at-sites.ts';
import { type ShrinkOptions, shrink } from '../../src/search/shrink.ts';
import { history, operation } from '../fixtures/histories.ts';

const options: ShrinkOptions = { budget: 300, repetitions: 1, workers: 2 };
const about = { subject: 'two-lines', variant: null, scenario: 'two-sessions', seed: 1 };
/** Only the second fault does harm: a release that frees a successor's lock. */
const breaking = parsePlan('cast=3  s2@op#3:pause=5ms  s1@op#7:pause=until:s2@end');

let campaign: LoadedCampaign;
beforeAll(async () => {
  campaign = await loadCampaign(fileURLToPath(new URL('../fixtures/search/two-lines', import.meta.url)));
});
const bench = <T>(work: (bench: Bench) => Promise<T>) => withBench({ campaign, driver: 'sim', variants: [] }, work);

describe('a broken trial', () => {
  test('shrinks to what it needs, by what its operations are; and shrinking that changes nothing', () =>
    bench(async (bench) => {
      const once = await shrink(bench, about, breaking, options);
      if (!once) throw new Error('it did not break');
      expect(once).toMatchObject({ minimal: true, before: { plan: printPlan(breaking), broken: 1, of: 1 } });
      expect(once.after).toMatchObject({ steps: 1, plan: expect.stringMatching(/ {2}s1@[a-z]+\([a-z]+\)#[12]:pause=until:s2@end$/) });
      expect(once.trial.record.violations.filter(({ invariant }) => invariant === once.invariant).map(fingerprintOf)).toContain(
        once.fingerprint,
      );

      const smallest = parsePlan(once.after.plan);
      const again = await shrink(bench, about, smallest, { ...options, workers: 1 });
      expect(again).toMatchObject({ minimal: true, invariant: once.invariant, fingerprint: once.fingerprint, after: once.after });
      expect(again?.trial.record.digest).toBe(once.trial.record.digest);
      expect((await bench.run(about, smallest)).record.digest).toBe(once.trial.record.digest);
    }));

  test('keeps the violation that is meant', () =>
    bench(async (bench) => {
      const isMeant: ShrinkOptions['isMeant'] = ({ invariant }) => invariant === 'robbed-session-dies';
      const shrunk = await shrink(bench, about, breaking, { ...options, budget: 3, isMeant });
      expect(shrunk).toMatchObject({ invariant: 'robbed-session-dies', minimal: false, tried: 3 });
      expect(shrunk?.trial.record.violations.some(isMeant)).toBe(true);
    }));

  test('what does not break is not shrunk', () =>
    bench(async (bench) => {
      expect(await shrink(bench, about, parsePlan('cast=2  s2@op#3:pause=5ms'), options)).toBeNull();
    }));
});

test('a numbered operation is given by its kind, its path and how many like it came before', () =>
  bench(async (bench) => {
    const plan = parsePlan('s1@op#15:pause=1ms  s1@op#16+:kill  s1@event#9:kill');
    const { history } = await bench.run(about, plan);
    const [first, second, ...others] = atSites(plan, history).map(printPlan);
    expect(others).toEqual([]);
    const operations = history.entries.filter((entry) => entry.type === 'operation' && entry.session === 's1');
    const [before, after] = [15, 16].map((n) => operations.find((entry) => entry.type === 'operation' && entry.n === n));
    if (before?.type !== 'operation' || after?.type !== 'operation') throw new Error('it did not get so far');
    const nth = ({ kind, path, n }: typeof before) =>
      operations.filter((entry) => entry.type === 'operation' && entry.kind === kind && entry.path === path && entry.n <= n).length;
    expect(first).toBe(`s1@${before.kind}(${before.path})#${nth(before)}:pause=1ms  s1@op#16+:kill  s1@event#9:kill`);
    expect(second).toBe(`s1@op#15:pause=1ms  s1@${after.kind}(${after.path})#${nth(after)}+:kill  s1@event#9:kill`);
  }));

test('a path with a generated id is given by a glob: the id is another in every world', () => {
  const open = (n: number, path: string): Entry => ({ ...operation(n, 's1', { kind: 'open', path, changes: true }), n }) as Entry;
  const reached = { type: 'fault', t_ms: 3, step: 0, fault: '', phase: 'reached', session: 's1', windows: [] } as const;
  const ids = ['8e22429d-9a52-4c86-a5e2-2b1f0c7d9a11', '01ARZ3NDEKTSV4RRFFQ69G5FAV'];
  const trial = history(open(1, `work/1/${ids[0]}.claim`), open(2, 'work/1/renew.json'), open(3, `work/1/${ids[1]}.claim`), {
    ...reached,
    windows: [],
    operation: `open work/1/${ids[1]}.claim`,
  });
  expect(atSites(parsePlan('s1@op#3:kill'), trial).map(printPlan)).toEqual(['s1@open(work/1/*.claim)#2:kill']);
});
