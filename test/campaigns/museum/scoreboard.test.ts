import { expect, test } from 'vitest';
import type { Answer, HuntAnswer } from '../../../campaigns/museum/answers.ts';
import type { MuseumCase, Search } from '../../../campaigns/museum/case.ts';
import { museumPage } from '../../../campaigns/museum/page.ts';
import { rowOf } from '../../../campaigns/museum/row.ts';
import { blocksOf, spareBlocksOf } from '../../../campaigns/museum/twin.ts';

const about: MuseumCase = {
  name: 'one',
  title: 'One.',
  source: 'https://example.org/1',
  never: 'two holders',
  broken: 'one@1.0.0',
  fixed: 'one@1.0.1',
  bug: [{ invariant: 'one-holder-at-a-time' }],
  searches: [{ by: 'random', scenario: 'contend' }],
  live: { by: 'plan' },
};

const caught = { invariant: 'one-holder-at-a-time', site: null, message: '', scenario: 'contend', seed: 1, plan: 'a  b', steps: 2 };
const hunt = (seed: number, trials: number, seconds: number, plan: string | null): HuntAnswer => ({
  answer: 'hunt',
  case: 'one',
  seed,
  strategy: 'random contend',
  driver: 'sim',
  trials,
  void: 0,
  seconds,
  caught: plan === null ? null : caught,
  named: null,
  shrunk: plan === null ? null : { plan, steps: plan.split('  ').length, tried: 9, minimal: true },
});
const twin = (block: number, trials: number, broken = 0): Answer => ({
  answer: 'twin',
  case: 'one',
  strategy: 'random contend',
  block,
  trials,
  void: 1,
  broken: Array(broken).fill(caught),
});

test('medians are of the seeds that found it, and a plan is the smallest of any', () => {
  const row = rowOf(about, [hunt(1, 3, 2, 'a  b'), hunt(2, 40, 30, 'a'), hunt(3, 5, 4, 'c'), hunt(4, 100, 60, null)]);
  expect(row.found).toMatchObject({ seeds: 3, of: 4, trials: 5, seconds: 4, strategies: ['random contend'] });
  expect(row.smallest).toMatchObject({ plan: 'a', steps: 1, stepsMax: 2 });
  expect(row.live).toEqual({ is: 'not-confirmed', why: 'not asked yet' });
});

test('a block of the fixed twin that was asked again counts once, by its last answer', () => {
  const { fixed } = rowOf(about, [twin(1000, 20, 1), twin(1001, 50), twin(1000, 50)]);
  expect(fixed).toEqual({ subject: 'one@1.0.1', trials: 100, void: 2, findings: 0 });
});

test('answers of other cases count for nothing', () => {
  expect(rowOf({ ...about, name: 'two' }, [hunt(1, 3, 2, 'a'), twin(1000, 50)])).toMatchObject({ found: { of: 0 }, fixed: { trials: 0 } });
});

test('the page says what was not found, what the fixed twin broke, and what was not confirmed', () => {
  const live: Answer = { answer: 'live', case: 'one', plan: null, broken: { shown: 0, of: 5, void: 5 }, fixed: null };
  const page = museumPage([rowOf(about, [hunt(1, 100, 60, null), twin(1000, 50, 2), live])]);
  expect(page).toContain('0 of 1 were found from every base seed');
  expect(page).toContain('| 0 of 1 |');
  expect(page).toContain('**no: 2 findings** in 49, and 1 void');
  expect(page).toMatch(/\*\*one\*\*: .*not confirmed, 0 of 5/);
});

test('the trials of a fixed twin are shared out, and a search that goes through places in turn is one block', () => {
  const blocks = blocksOf(
    [
      { by: 'random', scenario: 'contend' },
      { by: 'bounded', scenario: 'contend' },
    ],
    241,
  );
  expect(blocks.map(({ search, block, trials }) => [search.by, block, trials])).toEqual([
    ['random', 1000, 50],
    ['random', 1001, 50],
    ['random', 1002, 21],
    ['bounded', 2000, 120],
  ]);
});

test('trials that said nothing are made good for by others, of searches that draw', () => {
  const searches = [
    { by: 'random', scenario: 'contend' },
    { by: 'crashes' },
    { by: 'random', scenario: 'kill-anywhere' },
  ] as const satisfies Search[];
  const [first, spare] = [blocksOf([...searches], 180), spareBlocksOf([...searches], 180)];
  expect(spare.map(({ trials }) => trials).reduce((a, b) => a + b)).toBe(180);
  expect(spare.every(({ search }) => search.by === 'random')).toBe(true);
  const names = [...first, ...spare].map(({ search, block }) => `${JSON.stringify(search)} ${block}`);
  expect(new Set(names).size).toBe(names.length);
});
