import type { RunSummary } from '../../judge/run-summary.ts';
import type { Survival } from '../../judge/survival.ts';
import type { Paint } from '../paint.ts';
import { table } from '../table.ts';

const SAID = { held: 'held', known: 'broken (known)', broken: 'broken', void: 'void', 'not-applicable': 'n/a' } as const;
const COLOURS = { held: 'green', known: 'yellow', broken: 'red', void: 'yellow', 'not-applicable': 'dim' } as const;

/** Which subject survives what, where there are several to choose from. */
export function survivalTable({ survival = [] }: RunSummary, paint: Paint): string {
  if (survival.length === 0) return '';
  const subjects = [...new Set(survival.map(({ subject }) => subject))];
  const columns = ['scenario', ...subjects].map((name) => ({ name, align: 'left' }) as const);
  const cell = ({ is }: Survival) => paint(COLOURS[is], SAID[is]);
  const rows = [...Map.groupBy(survival, ({ scenario }) => scenario)].map(([scenario, cells]) => [scenario, ...cells.map(cell)]);
  const reasons = new Set(
    survival.filter(({ is }) => is === 'not-applicable').map(({ subject, scenario, what: [why] }) => `${scenario} of ${subject}: ${why}`),
  );
  return [table(columns, rows, paint), ...[...reasons].map((text) => paint('dim', `n/a  ${text}`))].join('\n');
}
