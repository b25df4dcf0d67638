/**
 * Holm's correction of several p-values, in their order: with these, the chance of any false alarm among all of them is what one would allow for one.
 * @see Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979), 65–70
 */
export function holm(pValues: readonly number[]): number[] {
  const ranked = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const adjusted: number[] = [];
  let greatest = 0;
  for (const [rank, { p, index }] of ranked.entries()) {
    greatest = Math.max(greatest, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = greatest;
  }
  return adjusted;
}
