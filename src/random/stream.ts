import seedrandom from 'seedrandom';

/** An endless sequence of random choices. */
export interface Stream {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** One of `choices`, of which there must be at least one. */
  pick<T>(choices: readonly T[]): T;
}

/**
 * The stream of that name: the same names give the same choices on every machine. One purpose, one stream
 * (`stream('plan', scenario, seed)`), so that a choice added in one moves no other.
 */
export function stream(...names: [string | number, ...(string | number)[]]): Stream {
  // JSON keeps ['a', 'b'] and ['ab'] apart.
  const next = seedrandom(JSON.stringify(names));

  function int(min: number, max: number): number {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min > max)
      throw new RangeError(`int(${min}, ${max}): give two whole numbers, the smaller one first`);
    return min + Math.floor(next() * (max - min + 1));
  }

  return {
    next: () => next(),
    int,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError('pick([]): there is nothing to pick from');
      return choices[int(0, choices.length - 1)] as T;
    },
  };
}
