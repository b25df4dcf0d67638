import { InvalidArgumentError } from 'commander';

/** Gathers names that are separated by commas or given by repeating the option. */
export function names(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').filter((name) => name !== '')];
}

export function positiveInteger(text: string): number {
  const n = Number(text);
  if (!Number.isSafeInteger(n) || n < 1) throw new InvalidArgumentError('Write a whole number from 1.');
  return n;
}

export function seed(text: string): number {
  const n = Number(text);
  if (text === '' || !Number.isSafeInteger(n) || n < 0) throw new InvalidArgumentError('A seed is a whole number from 0.');
  return n;
}
