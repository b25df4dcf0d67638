import type { Paint } from '../paint.ts';
import type { RunSummary } from '../run-summary.ts';
import { type Column, table } from '../table.ts';

const columns: Column[] = [
  { name: 'control', align: 'left' },
  { name: 'must', align: 'left' },
  { name: 'caught', align: 'right' },
  { name: 'first catch', align: 'right' },
];

/** The negative controls: what each must do, how often it was caught doing it, and at which of its trials first. */
export function controlsTable({ controls }: RunSummary, paint: Paint): string {
  const rows = controls.map(({ variant, expected, caught, trials, firstCatch }) => [
    variant,
    expected,
    caught === 0 ? paint('red', `0/${trials}`) : `${caught}/${trials}`,
    firstCatch === null ? paint('red', 'never') : `trial ${firstCatch}`,
  ]);
  return table(columns, rows, paint);
}
