import { oneOf } from '../campaign/nearest.ts';
import { UsageError } from './exit-code.ts';

/**
 * The items with these names, in the order in which they are declared; all of them when no names are given.
 * Throws a UsageError that lists what there is, and the nearest name.
 */
export function choose<T extends { name: string }>(what: string, items: T[], names: string[] = []): T[] {
  const known = items.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(unknownName(what, unknown, known));
  return names.length === 0 ? items : items.filter(({ name }) => names.includes(name));
}

/** `there is no scenario steel-lock. Write one of … (did you mean steal-lock?).` */
export function unknownName(what: string, given: string, known: string[]): string {
  return `there is no ${what} ${given}. ${known.length === 0 ? `This campaign has no ${what} at all.` : oneOf(given, known)}`;
}
