/** The one of `names` that was probably meant by `name`; null when none is like it. */
export function nearest(name: string, names: readonly string[]): string | null {
  let best: string | null = null;
  // Two characters swapped are two changes. Of a short name, something must be left.
  let least = Math.min(name.length, Math.max(2, Math.floor(name.length / 3)) + 1);
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** `Write one of a, b, c (did you mean b?).` */
export function oneOf(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return `Write one of ${names.join(', ')}${meant === null ? '' : ` (did you mean ${meant}?)`}.`;
}

/** Levenshtein's: how many characters must be put in, taken out or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
