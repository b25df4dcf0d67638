import type { Attrition } from '../../compare/attrition.ts';
import type { Comparison } from '../../compare/compare.ts';
import type { MechanismRow } from '../../compare/mechanism.ts';
import { durationRange } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, type Grid, gridText } from '../table.ts';

const STAGES: [stage: keyof Attrition, text: string][] = [
  ['planned', 'planned'],
  ['ran', 'ran'],
  ['landed', 'fault landed'],
  ['landedWhileHeld', 'landed while the lock was held'],
  ['judged', 'judged'],
  ['killed', 'judged, with a kill'],
  ['loaded', 'measured on too busy a machine'],
  ['censored', 'never seen to recover'],
  ['harnessErrors', 'ended from outside'],
];

export function attritionTable(comparison: Comparison, paint: Paint): string {
  return gridText(attritionGrid(comparison), paint);
}

export function attritionGrid({ attrition: { baseline, contender } }: Comparison): Grid {
  const rows = STAGES.map(([stage, text]) => [text, String(baseline[stage]), String(contender[stage])]);
  return { columns: [left('trials'), right('baseline'), right('contender')], rows };
}

const MECHANISMS: Record<MechanismRow['mechanism'], string> = {
  'left-behind': 'left the lock behind',
  clean: 'did not',
  never: 'never recovered',
  all: 'whole campaign',
};

/** How many kills left the lock behind, and what those and the others took. */
export function mechanismTable(comparison: Comparison, paint: Paint): string {
  const grid = mechanismGrid(comparison);
  return grid === null ? '' : gridText(grid, paint);
}

export function mechanismGrid({ mechanism }: Comparison): Grid | null {
  if (mechanism === null) return null;
  const columns = [left('trials whose kill …'), left('side'), right('trials'), right('recovery min – max'), right('trial min – max')];
  const rows = mechanism.baseline.flatMap((before, index) =>
    [['baseline', before] as const, ['contender', mechanism.contender[index] as MechanismRow] as const].map(([side, row]) => [
      side === 'baseline' ? MECHANISMS[row.mechanism] : '',
      side,
      String(row.trials),
      durationRange(row.recoveryMs),
      durationRange(row.durationMs),
    ]),
  );
  return { columns, rows };
}

const left = (name: string): Column => ({ name, align: 'left' });
const right = (name: string): Column => ({ name, align: 'right' });
