import type { RunSummary } from '../../judge/run-summary.ts';
import type { Survival } from '../../judge/survival.ts';
import type { Paint } from '../paint.ts';
import { ABOUT_SURVIVAL, survivalGrid, survivalText, TAKEOVER } from '../survival.ts';
import { table, WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

const COLOURS = { held: 'green', known: 'yellow', broken: 'red', void: 'yellow', 'not-applicable': 'dim' } as const;

/** Which subject survives what, where there are several to choose from. A column for each, since there are more scenarios than subjects as a rule. */
export function survivalTable(run: RunSummary, paint: Paint): string {
  const grid = survivalGrid(run);
  if (!grid) return '';
  const columns = ['scenario', ...grid.subjects.map(({ name }) => name)].map((name) => ({ name, align: 'left' }) as const);
  const cell = (survival: Survival | undefined) => (survival ? paint(COLOURS[survival.is], survivalText(survival)) : '');
  const rows = grid.scenarios.map((scenario, i) => [scenario, ...grid.subjects.map(({ cells }) => cell(cells[i]))]);
  const takeovers = grid.subjects.map(({ takeover }) => takeover);
  if (takeovers.some((text) => text !== '–')) rows.push([TAKEOVER, ...takeovers]);
  const notes = [...grid.reasons.map((reason) => `n/a  ${reason}`), ...wrap(ABOUT_SURVIVAL, WIDTH)];
  return [table(columns, rows, paint), ...notes.map((text) => paint('dim', text))].join('\n');
}
