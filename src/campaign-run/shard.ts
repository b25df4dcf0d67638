/** A campaign may be dealt to so many machines. */
export const SHARDS_MAX = 1000;

/** A trial's share of a whole run, by the trial's id. */
export type Durations = ReadonlyMap<string, number>;

/**
 * Deals trials to the shards 1 … `of`: the same trials and durations give the same shards, wherever they are dealt and in whatever order they are named.
 * The longest trials are dealt first, each to the shard that has least to do. A trial that has no recorded duration is taken to be as long as those
 * that differ from it in their seed alone, or as the mean of all; without any durations each shard gets as many trials as every other, and of every scenario some.
 * @returns Of each trial its shard.
 */
export function deal(ids: Iterable<string>, of: number, durations: Durations = new Map()): Map<string, number> {
  const mean = meansOf(durations);
  const weighed = [...ids].map((id) => ({ id, ms: durations.get(id) ?? mean.get(kindOf(id)) ?? mean.get('') ?? 1 }));
  weighed.sort((a, b) => b.ms - a.ms || (a.id < b.id ? -1 : 1));
  const loads = Array.from({ length: of }, () => 0);
  return new Map(
    weighed.map(({ id, ms }) => {
      const least = loads.indexOf(Math.min(...loads));
      loads[least] = (loads[least] ?? 0) + Math.max(1, ms);
      return [id, least + 1];
    }),
  );
}

const kindOf = (id: string) => id.slice(0, id.lastIndexOf('/'));

/** Of each kind of trial the mean duration; under '' that of all. */
function meansOf(durations: Durations): Map<string, number> {
  const sums = new Map<string, { ms: number; count: number }>();
  for (const [id, ms] of durations) {
    for (const kind of [kindOf(id), '']) {
      const sum = sums.get(kind) ?? { ms: 0, count: 0 };
      sums.set(kind, { ms: sum.ms + ms, count: sum.count + 1 });
    }
  }
  return new Map([...sums].map(([kind, { ms, count }]) => [kind, ms / count]));
}
