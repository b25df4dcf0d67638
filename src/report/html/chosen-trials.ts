import type { TrialRecord } from '../../history/record.ts';
import type { Finding } from '../../judge/findings.ts';
import type { RunSummary } from '../../judge/run-summary.ts';

/** Trials whose timelines are worth a reader's time, and what they are to him. */
export interface ChosenTrial {
  record: TrialRecord;
  group: 'Findings' | 'Other broken trials' | 'Void trials' | 'Controls, caught' | 'Trials that held';
  notes: string[];
}

/** No more histories than these are read. */
const MOST_TRIALS = 40;

/** The trials to be shown as timelines, the most telling first; of those whose history was kept. */
export function chosenTrials({ findings, controls }: RunSummary, records: TrialRecord[]): ChosenTrial[] {
  const kept = records.filter(({ artefacts }) => artefacts !== null);
  const asIs = kept.filter(({ variant }) => variant === null);
  const ordered: ChosenTrial[] = [
    ...findings.flatMap((finding) =>
      kept.filter((record) => isExample(finding, record)).map((record) => ({ ...choose('Findings', record), notes: noteOf(finding) })),
    ),
    ...controls.flatMap(({ variant, firstCatchSeed }) =>
      kept
        .filter((record) => record.variant === variant && record.seed === firstCatchSeed && record.verdict === 'broken')
        .slice(0, 1)
        .map((record) => choose('Controls, caught', record)),
    ),
    ...asIs.filter(({ verdict }) => verdict === 'broken').map((record) => choose('Other broken trials', record)),
    ...asIs.filter(({ verdict }) => verdict === 'void').map((record) => choose('Void trials', record)),
    ...asIs.filter(({ verdict }) => verdict === 'held').map((record) => choose('Trials that held', record)),
  ];
  const seen = new Set<string>();
  const once = ordered.filter(({ record: { id } }) => !seen.has(id) && seen.add(id));
  return once.slice(0, MOST_TRIALS);
}

/** Whether a trial is the one that a finding gives as its example. */
export function isExample({ subject, variant, scenario, seed }: Finding, record: TrialRecord): boolean {
  return record.subject === subject && record.variant === variant && record.scenario === scenario && record.seed === seed;
}

function choose(group: ChosenTrial['group'], record: TrialRecord): ChosenTrial {
  return { record, group, notes: [] };
}

function noteOf({ shrunk, plan }: Finding): string[] {
  return shrunk === null ? [] : [`this is the plan as it was drawn; the finding shows what is left of it: ${plan}`];
}
