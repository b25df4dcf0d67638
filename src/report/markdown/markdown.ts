import { comparisonsOf, type Result } from '../result.ts';
import { againstText } from '../terminal/gate.ts';
import { compareSections } from './compare.ts';
import { runSections } from './run.ts';
import { fit, plainText } from './text.ts';

/** A comment on GitHub takes 65,536 characters. */
const COMMENT_BYTES_MAX = 65_000;

/** For a comment on a pull request: the verdict and why first, and what one looks up folded away. */
export function markdown(result: Result): string {
  return fit(sectionsOf(result), COMMENT_BYTES_MAX, '`crash-campaign report`');
}

/** The sections, the weightiest first. */
export function sectionsOf(result: Result): string[] {
  switch (result.of) {
    case 'run': {
      const { campaign, driver, verdict, reasons, notes } = result.summary;
      return [
        ...headline(`${verdict.toUpperCase()}  ${campaign} under ${driver}`, verdict === 'pass', { reasons, notes }),
        ...runSections(result.summary),
      ];
    }
    case 'compare': {
      const { campaign, driver, decision, reasons, notes, baseline, contender } = result.comparison;
      const title = `${decision.toUpperCase()}  ${campaign} under ${driver}: ${baseline.subject} → ${contender.subject}`;
      return [...headline(title, decision === 'ok', { reasons, notes }), ...compareSections(result.comparison)];
    }
    case 'gate': {
      const { campaign, driver, verdict, run, against } = result.gate;
      return [
        ...headline(`${verdict.toUpperCase()}  ${campaign} under ${driver}, ${againstText(against)}`, verdict === 'pass', result.gate),
        ...comparisonsOf(result.gate).flatMap(compareSections),
        ...runSections(run),
      ];
    }
  }
}

function headline(
  title: string,
  isGood: boolean,
  { reasons, notes, next = [] }: { reasons: string[]; notes: string[]; next?: string[] },
): string[] {
  const list = (texts: string[]) => texts.map((text) => `- ${plainText(text)}`).join('\n');
  return [
    `### ${isGood ? '✅' : '❌'} ${plainText(title)}`,
    ...(reasons.length > 0 ? [list(reasons)] : []),
    ...(next.length > 0 ? [`**Next**\n\n${list(next)}`] : []),
    ...(notes.length > 0 ? [`Notes\n\n${list(notes)}`] : []),
  ];
}
