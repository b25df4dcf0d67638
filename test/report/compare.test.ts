import { expect, test } from 'vitest';
import { compareSides } from '../../src/compare/compare.ts';
import { plain } from '../../src/report/paint.ts';
import { compareReport } from '../../src/report/terminal/compare.ts';
import { type Behaviour, sideOf } from '../compare/sides.ts';

const report = (before: Behaviour, after: Behaviour, n: number, driver: 'sim' | 'live' = 'sim') =>
  compareReport(
    compareSides(
      { baseline: sideOf('before', before, n, { driver }), contender: sideOf('after', after, n, { driver }) },
      { relative: 0.05 },
    ),
    plain,
  );

const titles = [
  'Trials left at each stage',
  'By mechanism',
  'Four questions',
  'Mean recovery',
  'Recovery times by decile',
  'Decision',
  'Seed by seed',
  'Operations that the same work costs',
];

test('attrition, mechanism, questions, headline, decision, then seed by seed', () => {
  const lines = report({}, { lease_ms: 33_000 }, 200).split('\n');
  expect(lines.filter((line) => titles.includes(line))).toEqual(titles);
  expect(lines).toContainEqual(expect.stringMatching(/^left the lock behind +baseline +58 +30\.0 s – 31\.0 s/));
  expect(lines).toContainEqual(expect.stringMatching(/^ +contender +58 +33\.0 s – 34\.0 s/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^recovery, lock left +58 +30\.5 s +33\.5 s +\+3\.00 s +\+3\.00 s … \+3\.00 s +<0\.001 +regressed$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^recovery, none left +142 +422 ms +422 ms +~ +0 … 0 % +1\.000 +ok$/));
  expect(lines).toContainEqual(expect.stringMatching(/^REGRESSED {2}by 95 % intervals, 5 % tolerated$/));
  expect(lines).toContainEqual("every one of the contender's 200 trials recovered: with 95 % confidence fewer than 1.5 % don't");
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
});

test('under the real clock nothing is said of exact times', () => {
  const text = report({ noise: 0.1, name: 'a' }, { noise: 0.1, name: 'b' }, 30, 'live');
  expect(text).not.toMatch(/Seed by seed/);
  expect(text).toMatch(/times are of a real clock/);
});

test('where there are too few for an end of an interval there is ∞', () => {
  const lines = report({}, {}, 20).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^p90 .* ∞ … ∞$/));
  expect(lines).toContainEqual(expect.stringMatching(/^p50 .* ~ +0 ms … 0 ms$/));
});
