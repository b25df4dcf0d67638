import type { Comparison } from '../../compare/compare.ts';
import type { Cost } from '../../compare/cost.ts';
import { count, duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { type Column, type Grid, gridText } from '../table.ts';

/** Under sim: how many seeds changed, and those that changed most with the commands that replay them on both sides. */
export function seedsText({ seeds: { exact }, baseline, contender }: Comparison, paint: Paint): string {
  if (exact === null) return '';
  const time = (ms: number | null) => (ms === null ? 'never' : duration(ms));
  const isOneCommand = baseline.subject === contender.subject;
  return [
    `times are exact: ${count(exact.same, 'seed')} took the same to the microsecond, ${exact.slower} longer, ${exact.faster} less`,
    ...exact.changedMost.map(({ scenario, seed, plan, baselineMs, contenderMs, replay }) =>
      [
        `  ${paint('bold', `${scenario}/${seed}`)}  ${time(baselineMs)} → ${time(contenderMs)}  ${plan}`,
        `    ${paint('dim', isOneCommand ? 'replay   ' : 'baseline ')}  ${replay.baseline}`,
        ...(isOneCommand ? [] : [`    ${paint('dim', 'contender')}  ${replay.contender}`]),
      ].join('\n'),
    ),
  ].join('\n');
}

/** So many kinds of operations are shown. */
const MOST = 10;

export function costTable({ cost }: Comparison, paint: Paint): string {
  if (cost === null) return '';
  const grid = costGrid(cost);
  const rest = cost.length - grid.rows.length;
  return [gridText(grid, paint), ...(rest > 0 ? [paint('dim', `${count(rest, 'rarer kind')} not shown`)] : [])].join('\n');
}

export function costGrid(cost: Cost[]): Grid {
  const columns: Column[] = [
    { name: 'operations', align: 'left' },
    ...['per event', '→', 'change', 'per acquisition', '→'].map((name) => ({ name, align: 'right' }) as const),
  ];
  const rows = cost
    .slice(0, MOST + 1)
    .map(({ kind, perEvent, perAcquisition }) => [
      kind,
      figure(perEvent.baseline),
      figure(perEvent.contender),
      changeText(perEvent.baseline, perEvent.contender),
      figure(perAcquisition.baseline),
      figure(perAcquisition.contender),
    ]);
  return { columns, rows };
}

function figure(value: number | null): string {
  return value === null ? '–' : String(Number(value.toFixed(2)));
}

function changeText(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return '–';
  const percent = Number(((after / before - 1) * 100).toFixed(1));
  return percent === 0 ? '~' : `${percent > 0 ? '+' : ''}${percent} %`;
}
