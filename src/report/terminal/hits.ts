import type { RunSummary } from '../../judge/run-summary.ts';
import { WINDOWS } from '../../plan/plan.ts';
import type { Paint } from '../paint.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [{ name: 'faults landed while', align: 'left' }, ...WINDOWS.map((name) => ({ name, align: 'right' }) as const)];

/** Windows × scenarios: how many faults landed in each. A fault can land in several windows at once. */
export function hitTable({ hits }: RunSummary, paint: Paint): string {
  const rows = hits.map(({ scenario, windows }) => [scenario, ...WINDOWS.map((window) => hitText(windows[window] ?? 0, paint))]);
  return table(columns, rows, paint);
}

/** So many operations are named; the rest are counted. */
const MOST_OPERATIONS = 12;

/** The operations at which kills landed, most often first; none when the driver does not see operations. */
export function killedAt({ hits }: RunSummary, paint: Paint): string {
  const kills = new Map<string, number>();
  for (const { operation, kills: n } of hits.flatMap(({ operations }) => operations)) kills.set(operation, (kills.get(operation) ?? 0) + n);
  const ranked = [...kills].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const rest = ranked.slice(MOST_OPERATIONS).reduce((sum, [, n]) => sum + n, 0);
  const rows = ranked.slice(0, MOST_OPERATIONS).map(([operation, n]) => [operation, String(n)]);
  if (rest > 0) rows.push([paint('dim', `${ranked.length - MOST_OPERATIONS} others`), String(rest)]);
  const head: Column[] = [
    { name: 'killed at', align: 'left' },
    { name: 'kills', align: 'right' },
  ];
  return rows.length === 0 ? '' : table(head, rows, paint);
}

function hitText(n: number, paint: Paint): string {
  return n === 0 ? paint('dim', '·') : String(n);
}
