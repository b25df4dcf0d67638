import { partingText } from '../../judge/determinism.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

/** So many trials of a kind are listed. */
const LISTED_MAX = 10;

/** Which trials repeated, which did not and where they part, and apart from them those of which nothing was promised. */
export function determinismText({ determinism }: RunSummary, paint: Paint): string {
  if (determinism === null) return '';
  const { checked, different, uncontrolled } = determinism;
  const same = `${count(checked, 'trial')} run twice: ${checked - different.length} with the same history`;
  return [
    different.length === 0 ? same : `${same}, ${paint('red', `${different.length} with another`)}`,
    ...list(different.map(({ id, difference }) => `${id}: ${partingText(difference)}`)),
    ...(uncontrolled.length === 0 ? [] : [`${paint('yellow', 'not compared')}, because something in them is not simulated:`]),
    ...list(uncontrolled.map(({ id, what }) => `${id}: ${what.join(', ')}`)),
  ].join('\n');
}

function list(lines: string[]): string[] {
  const listed = lines.slice(0, LISTED_MAX).map((line) => `  ${wrap(line, WIDTH - 2).join('\n    ')}`);
  return lines.length > LISTED_MAX ? [...listed, `  and ${count(lines.length - LISTED_MAX, 'more', 'more')}`] : listed;
}
