import type { Comparison } from '../../compare/compare.ts';
import { marginText } from '../../compare/reasons.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { costTable, seedsText } from './compare-exact.ts';
import { meansText, questionsTable, shiftsTable } from './compare-questions.ts';
import { attritionTable, mechanismTable } from './compare-trials.ts';
import { item } from './item.ts';

const COLOURS = { regressed: 'red', ok: 'green', inconclusive: 'yellow' } as const;

/** A comparison for a person: who fell out, what recovered how, the questions, the decision; then seed by seed where times repeat. */
export function compareReport(comparison: Comparison, paint: Paint): string {
  const { campaign, driver, baseline, contender, seeds } = comparison;
  const sections: [title: string, text: string][] = [
    ['Trials left at each stage', attritionTable(comparison, paint)],
    ['By mechanism', mechanismTable(comparison, paint)],
    ['Four questions', questionsTable(comparison, paint)],
    ['Mean recovery', meansText(comparison, paint)],
    ['Recovery times by decile', shiftsTable(comparison, paint)],
    ['Decision', decisionText(comparison, paint)],
    ['Seed by seed', seedsText(comparison, paint)],
    ['Operations that the same work costs', costTable(comparison, paint)],
  ];
  const title = `${paint('bold', campaign)} under ${driver}: ${baseline.subject} → ${contender.subject}, ${count(seeds.paired, 'pair')}`;
  return [`${title}\n`, ...sections.filter(([, text]) => text !== '').map(([name, text]) => `${paint('bold', name)}\n${text}\n`)].join(
    '\n',
  );
}

function decisionText({ decision, reasons, notes, margin, baseline, contender }: Comparison, paint: Paint): string {
  return [
    `${paint(['bold', COLOURS[decision]], decision.toUpperCase())}  by 95 % intervals, ${marginText(margin)} tolerated`,
    ...reasons.map((reason) => item('•', reason)),
    ...notes.map((note) => paint('dim', item('note:', note))),
    ...[...new Set([baseline.runDirectory, contender.runDirectory])].map((directory) => paint('dim', item('records:', directory))),
  ].join('\n');
}
