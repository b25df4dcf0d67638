import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deal } from '../../src/campaign-run/shard.ts';

const ids = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(500)), { selector: String })
  .map((all) => all.map(([kind, n]) => `c/${kind}/k/-/${n}`));
const some = fc.record({ ids, of: fc.integer({ min: 1, max: 12 }), ms: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }) });
const durationsOf = (ids: string[], ms: number[]) => new Map(ids.map((id, i) => [id, ms[i % ms.length] as number]));

function loads(shards: Map<string, number>, of: number, ms: (id: string) => number): number[] {
  const sums = Array.from({ length: of }, () => 0);
  for (const [id, shard] of shards) sums[shard - 1] = (sums[shard - 1] ?? 0) + ms(id);
  return sums;
}

describe('deal', () => {
  test('gives each trial to one shard, whatever the order in which they are named', () => {
    fc.assert(
      fc.property(some, ({ ids, of, ms }) => {
        const durations = durationsOf(ids, ms);
        const shards = deal(ids, of, durations);
        expect([...shards.keys()].sort()).toEqual(ids.toSorted());
        expect([...shards.values()].every((shard) => Number.isInteger(shard) && shard >= 1 && shard <= of)).toBe(true);
        expect(deal(ids.toReversed(), of, durations)).toEqual(shards);
      }),
    );
  });

  test('without durations: as many trials for each, give or take one', () => {
    fc.assert(
      fc.property(some, ({ ids, of }) => {
        const counts = loads(deal(ids, of), of, () => 1);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('with durations: no shard has more to do than another, but for one trial', () => {
    fc.assert(
      fc.property(some, ({ ids, of, ms }) => {
        const durations = durationsOf(ids, ms);
        const sums = loads(deal(ids, of, durations), of, (id) => durations.get(id) as number);
        expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(Math.max(0, ...ids.map((id) => durations.get(id) as number)));
      }),
    );
  });

  test('a trial that was not there takes as long as those of its kind', () => {
    const known = new Map([
      ['c/slow/k/-/1', 900],
      ['c/fast/k/-/1', 100],
    ]);
    const shards = deal(['c/slow/k/-/2', 'c/fast/k/-/2', 'c/fast/k/-/3', 'c/fast/k/-/4'], 2, known);
    const slow = shards.get('c/slow/k/-/2');
    expect([...shards].filter(([, shard]) => shard === slow).map(([id]) => id)).toEqual(['c/slow/k/-/2']);
  });
});
