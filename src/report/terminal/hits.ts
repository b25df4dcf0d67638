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

/** The operations at which kills landed, in all scenarios, most often first; none when the driver does not see operations. */
export function killsByOperation(hits: RunSummary['hits']): {
  named: [operation: string, kills: number][];
  others: { operations: number; kills: number };
} {
  const kills = new Map<string, number>();
  for (const { operation, kills: n } of hits.flatMap(({ operations }) => operations)) kills.set(operation, (kills.get(operation) ?? 0) + n);
  const ranked = [...kills].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const rest = ranked.slice(MOST_OPERATIONS);
  return {
    named: ranked.slice(0, MOST_OPERATIONS),
    others: { operations: rest.length, kills: rest.reduce((sum, [, n]) => sum + n, 0) },
  };
}

export function killedAt({ hits }: RunSummary, paint: Paint): string {
  const { named, others } = killsByOperation(hits);
  const rows = named.map(([operation, n]) => [operation, String(n)]);
  if (others.kills > 0) rows.push([paint('dim', `${others.operations} others`), String(others.kills)]);
  const head: Column[] = [
    { name: 'killed at', align: 'left' },
    { name: 'kills', align: 'right' },
  ];
  return rows.length === 0 ? '' : table(head, rows, paint);
}

function hitText(n: number, paint: Paint): string {
  return n === 0 ? paint('dim', '·') : String(n);
}
