/** Lets so many pieces of work go on at once; others wait, in order. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export function slotsOf(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
