import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

const COLOURS = { pass: 'green', fail: 'red', blind: 'magenta', void: 'yellow' } as const;

/** The verdict; its reasons, gravest first, each with what to do; what else should be known; and where the records are. */
export function verdictText(run: RunSummary, paint: Paint): string {
  const { total, held, broken, void: voided } = run.trials;
  const verdict = paint(['bold', COLOURS[run.verdict]], run.verdict.toUpperCase());
  return [
    `${verdict}  ${count(total, 'trial')}: ${held} held, ${broken} broken, ${voided} void`,
    ...run.reasons.map((reason) => item('•', reason)),
    ...run.notes.map((note) => paint('dim', item('note:', note))),
    paint('dim', item('records:', run.runDirectory)),
  ].join('\n');
}

function item(mark: string, text: string): string {
  const indent = 3 + mark.length;
  return `  ${mark} ${wrap(text, WIDTH - indent).join(`\n${' '.repeat(indent)}`)}`;
}
