import { UsageError } from './exit-code.ts';

/**
 * The items with these names, in the order in which they are declared; all of them when no names are given.
 * Throws a UsageError that lists what there is, and the nearest name.
 */
export function choose<T extends { name: string }>(what: string, items: T[], names: string[]): T[] {
  const known = items.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(unknownName(what, unknown, known));
  return names.length === 0 ? items : items.filter(({ name }) => names.includes(name));
}

/** `no scenario "steel-lock": did you mean steal-lock? There are: …`. */
export function unknownName(what: string, given: string, known: string[]): string {
  if (known.length === 0) return `no ${what} "${given}": this campaign has none`;
  const near = nearest(given, known);
  return `no ${what} "${given}":${near === null ? '' : ` did you mean ${near}?`} There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}`;
}

/** The name with the fewest edits, if they are few enough that it may have been meant. */
function nearest(given: string, known: string[]): string | null {
  const ranked = known.map((name) => ({ name, edits: editsBetween(given, name) })).sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  if (best === undefined) return null;
  const part = known.filter((name) => name.includes(given));
  if (part.length === 1) return part[0] as string;
  return best.edits <= Math.max(2, best.name.length / 3) ? best.name : null;
}

/** Levenshtein's distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
