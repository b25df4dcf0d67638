/** The change that one is ready to tolerate: a share of what the baseline takes, or a time. */
export type Margin = { relative: number } | { absoluteMs: number };

/** What an interval says of a change, greater being worse. */
export type Decision = 'regressed' | 'ok' | 'inconclusive';

/** `10%`, `500ms`, `1.5s` or `2m`; null: none of these. */
export function parseMargin(text: string): Margin | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(%|ms|s|m)$/.exec(text.trim()) ?? [];
  if (number === undefined) return null;
  const n = Number(number);
  return unit === '%' ? { relative: n / 100 } : { absoluteMs: n * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'] };
}

/** By how much a time may grow that is `baselineMs` in the baseline. */
export function toleratedMs(margin: Margin, baselineMs: number): number {
  return 'relative' in margin ? margin.relative * baselineMs : margin.absoluteMs;
}

/**
 * The decision by interval: regressed when all of it lies beyond what is tolerated, ok when none of it does. A p-value could only say that there is
 * some change, and with enough trials there always is.
 */
export function decide({ lower, upper }: { lower: number | null; upper: number | null }, tolerated: number): Decision {
  if (lower !== null && lower > tolerated) return 'regressed';
  return upper !== null && upper <= tolerated ? 'ok' : 'inconclusive';
}
