import type { Comparison } from '../../compare/compare.ts';
import { marginText } from '../../compare/reasons.ts';
import { plain } from '../paint.ts';
import { seedsText } from '../terminal/compare-exact.ts';
import { meansText, questionsTable, shiftsTable } from '../terminal/compare-questions.ts';
import { attritionTable, mechanismTable } from '../terminal/compare-trials.ts';
import { codeBlock, details } from './text.ts';

/** The tables of the terminal: their columns say more side by side than any table that a page sets by itself. */
export function compareSections(comparison: Comparison): string[] {
  const { decision, margin, baseline, contender } = comparison;
  const sections: [title: string, text: string][] = [
    ['By mechanism', mechanismTable(comparison, plain)],
    ['Four questions', questionsTable(comparison, plain)],
    ['Mean recovery', meansText(comparison, plain)],
    ['Recovery times by decile', shiftsTable(comparison, plain)],
    ['Seed by seed', seedsText(comparison, plain)],
    ['Trials left at each stage', attritionTable(comparison, plain)],
  ];
  const told = sections.filter(([, text]) => text !== '').map(([title, text]) => `${title}\n${text}`);
  const title = `Recovery of ${contender.subject} against ${baseline.subject}: ${decision}, ${marginText(margin)} tolerated`;
  return [details(title, codeBlock('text', told.join('\n\n')))];
}
