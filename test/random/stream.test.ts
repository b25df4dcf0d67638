import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { stream } from '../../src/random/stream.ts';

const first = (...names: Parameters<typeof stream>) => {
  const { int } = stream(...names);
  return Array.from({ length: 5 }, () => int(0, 999));
};

test('the same names give the same choices, on every machine', () => {
  expect(first('plan', 'kill-anywhere', 1000)).toEqual(first('plan', 'kill-anywhere', 1000));
  expect(first('plan', 'kill-anywhere', 1000)).toMatchInlineSnapshot(`
    [
      735,
      286,
      550,
      106,
      68,
    ]
  `);
});

test('other names give other choices', () => {
  const all = [first('a', 'b'), first('ab'), first('a', 1), first('a', '1'), first('a', 1, 2), first('a', 12)];
  expect(new Set(all.map(String)).size).toBe(all.length);
});

test('what is drawn from one stream moves no other', () => {
  const [one, other] = [stream('one'), stream('other')];
  const alone = first('other');
  expect(
    Array.from({ length: 5 }, () => {
      one.next();
      return other.int(0, 999);
    }),
  ).toEqual(alone);
});

test('int includes both its ends and nothing else; pick reaches every choice', () => {
  const { int, pick, next } = stream('range');
  const ints = Array.from({ length: 300 }, () => int(-1, 2));
  expect([...new Set(ints)].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
  expect(new Set(Array.from({ length: 100 }, () => pick(['a', 'b', 'c']))).size).toBe(3);
  expect(Array.from({ length: 300 }, next).every((x) => x >= 0 && x < 1)).toBe(true);
});

test('a range or a list that is none is refused', () => {
  const { int, pick } = stream('refused');
  expect(() => int(2, 1)).toThrow('int(2, 1)');
  expect(() => int(0, 0.5)).toThrow('whole numbers');
  expect(() => pick([])).toThrow('nothing to pick from');
});

test('nothing else in the project draws at random', () => {
  const grep = ['grep', '-n', '-E', 'Math\\.random\\(\\)|randomInt\\(', '--', 'src', 'scenarios', 'campaigns', ':!src/driver/probe'];
  let found = '';
  try {
    found = execFileSync('git', grep, { encoding: 'utf8', cwd: new URL('../..', import.meta.url) });
  } catch {
    // git grep exits with 1 when it finds nothing.
  }
  expect(found).toBe('');
});
