import type { TrialRecord } from '../../history/record.ts';
import type { Finding } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';

/**
 * Each group of broken trials: its smallest example, what breaks in one line, and the command that replays it. Those of the kernel as it is come first;
 * what a variant breaks of which nothing is expected fails no run.
 */
export function findingsText({ findings }: RunSummary, paint: Paint): string {
  const told = (isOwn: boolean) =>
    findings.filter(({ variant }) => (variant === null) === isOwn).map((finding) => findingText(finding, paint));
  const [own, others] = [told(true), told(false)];
  const heading = others.length === 0 ? [] : [paint('dim', 'in variants of which nothing is expected, which do not fail the run:')];
  return [...own, ...heading, ...others].join('\n\n');
}

export function findingText(
  { invariant, site, source, trials, message, subject, variant, plan, replay, shrunk }: Finding,
  paint: Paint,
): string {
  const who = variant === null ? subject : `${subject}, variant ${variant}`;
  const label = source === null ? paint('red', 'broken') : paint('yellow', 'known');
  return [
    `${label}  ${paint('bold', invariant)} by ${who}, in ${count(trials, 'trial')}`,
    `  ${wrap(message, WIDTH - 2).join('\n  ')}`,
    ...(site === null ? [] : [`  ${paint('dim', 'site')}    ${site}`]),
    ...(source === null ? [] : [`  ${paint('dim', 'source')}  ${source}`]),
    `  ${paint('dim', 'plan')}    ${plan}`,
    ...(shrunk === null ? [] : [`  ${paint('dim', 'from')}    ${shrunk.from}`]),
    `  ${paint('dim', 'replay')}  ${replay}`,
    ...(shrunk?.story ?? []).map((sentence) => `    ${wrap(sentence, WIDTH - 6).join('\n      ')}`),
  ].join('\n');
}

/** Why trials were void, most often first, with an example of each. */
export function voidText(records: TrialRecord[], paint: Paint): string {
  const voids = records.filter(({ variant, verdict }) => variant === null && verdict === 'void');
  return [...Map.groupBy(voids, ({ void_reasons: [reason = 'no reason given'] }) => reason)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, group]) => {
      const { scenario, seed } = group[0] as TrialRecord;
      const text = wrap(`${reason} (e.g. ${scenario}, seed ${seed})`, WIDTH - 8).join(`\n${' '.repeat(8)}`);
      return `${paint('yellow', `${group.length} ×`.padStart(6))}  ${text}`;
    })
    .join('\n');
}
