import type { TrialRecord } from '../../history/record.ts';
import { count } from '../duration.ts';
import type { Paint } from '../paint.ts';
import type { Finding, RunSummary } from '../run-summary.ts';

/** Each group of broken trials: its smallest example, what breaks in one line, and the command that replays it. */
export function findingsText({ findings }: RunSummary, records: TrialRecord[], paint: Paint): string {
  return findings.map((finding) => findingText(finding, records, paint)).join('\n\n');
}

function findingText(finding: Finding, records: TrialRecord[], paint: Paint): string {
  const { invariant, known, trials, scenario, subject, seed, plan, replay } = finding;
  const label = known ? paint('yellow', 'known') : paint('red', 'broken');
  return [
    `${label} ${paint('bold', invariant)} in ${count(trials, 'trial')}, e.g. ${scenario}, ${subject}, seed ${seed}`,
    `  ${messageOf(finding, records)}`,
    `  ${paint('dim', 'plan')}    ${plan}`,
    `  ${paint('dim', 'replay')}  ${replay}`,
  ].join('\n');
}

function messageOf(finding: Finding, records: TrialRecord[]): string {
  const example = records.find(
    ({ variant, scenario, subject, seed }) =>
      variant === null && scenario === finding.scenario && subject === finding.subject && seed === finding.seed,
  );
  return example?.violations.find(({ invariant }) => invariant === finding.invariant)?.message ?? '';
}

/** Why trials were void, most often first, with the first seed of each reason. */
export function voidText(records: TrialRecord[], paint: Paint): string {
  const reasons = new Map<string, TrialRecord[]>();
  for (const record of records.filter(({ variant, verdict }) => variant === null && verdict === 'void')) {
    const reason = record.void_reasons[0] ?? 'no reason was given';
    reasons.set(reason, [...(reasons.get(reason) ?? []), record]);
  }
  return [...reasons]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, [first, ...others]]) => {
      const times = `${others.length + 1} ×`.padStart(6);
      return `${paint('yellow', times)}  ${reason}${first ? paint('dim', `  e.g. ${first.scenario}, seed ${first.seed}`) : ''}`;
    })
    .join('\n');
}
