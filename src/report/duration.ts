/** Milliseconds for a person, three significant digits: `412 ms`, `31.7 s`, `2 m 05 s`, `1 h 02 m`; null: `–`. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const s = ms / 1000;
  if (s < 119.5) return `${s < 99.95 ? s.toPrecision(3) : Math.round(s)} s`;
  const minutes = Math.round(s) / 60;
  if (minutes < 60) return `${Math.floor(minutes)} m ${two(Math.round(s) % 60)} s`;
  const wholeMinutes = Math.round(minutes);
  return `${Math.floor(wholeMinutes / 60)} h ${two(wholeMinutes % 60)} m`;
}

/** A range for a person; one value when both ends print alike. */
export function durationRange(range: { min: number | null; max: number | null }): string {
  const [min, max] = [duration(range.min), duration(range.max)];
  return min === max ? min : `${min} – ${max}`;
}

/** `1 trial`, `2,000 trials`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
