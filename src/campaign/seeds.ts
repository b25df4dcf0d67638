import { CampaignError } from './campaign-error.ts';

/** Of one campaign. */
export const SEEDS_MAX = 1_000_000;
export const SEED_MAX = 0xffff_ffff;

const EXAMPLE = 'e.g. 1000-1029,5';

/**
 * The seeds of a list like `1000-1029,5`, in the order in which they are given. A list of numbers is checked and returned as it is.
 * @param field What to call the list in an error.
 * @throws {CampaignError} Where it is no such list, has a seed twice, or more than SEEDS_MAX of them.
 */
export function parseSeeds(seeds: string | readonly number[], field = 'seeds'): number[] {
  const fail = (given: string, remedy: string): never => {
    throw new CampaignError({ field, given, remedy });
  };
  const found = new Set<number>();
  function add(seed: number, given: string) {
    if (!Number.isInteger(seed) || seed < 0 || seed > SEED_MAX) fail(given, `Write whole numbers from 0 to ${SEED_MAX}, ${EXAMPLE}.`);
    if (found.has(seed)) fail(given, `Seed ${seed} is in it twice: write each seed once.`);
    found.add(seed);
    if (found.size > SEEDS_MAX) fail(given, `Write at most ${SEEDS_MAX} seeds.`);
  }

  if (typeof seeds === 'string') {
    if (seeds.trim() === '') fail(JSON.stringify(seeds), `Write at least one seed, ${EXAMPLE}.`);
    for (const part of seeds.split(',')) {
      const given = `${JSON.stringify(seeds)}, with ${JSON.stringify(part)} in it`;
      const [, first, last = first] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
      if (first === undefined) fail(given, `Write whole numbers and ranges of them, ${EXAMPLE}.`);
      if (Number(last) < Number(first)) fail(given, `Write the smaller seed of a range first: ${last}-${first}.`);
      for (let seed = Number(first); seed <= Number(last); seed++) add(seed, given);
    }
  } else {
    if (seeds.length === 0) fail('[]', `Write at least one seed, ${EXAMPLE}.`);
    for (const seed of seeds) add(seed, `a list with ${String(seed)} in it`);
  }
  return [...found];
}

/** Seeds in their order, in the form that parseSeeds takes: `1000-1029,5`. */
export function printSeeds(seeds: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const seed of seeds) {
    const range = ranges.at(-1);
    if (range && range[1] + 1 === seed) range[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
