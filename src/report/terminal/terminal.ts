import type { TrialRecord } from '../../history/record.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import type { Paint } from '../paint.ts';
import { controlsText } from './controls.ts';
import { determinismText } from './determinism.ts';
import { findingsText, voidText } from './findings.ts';
import { hitTable, killedAt } from './hits.ts';
import { lockLeftBehindTable } from './lock-left-behind.ts';
import { subjectsTable } from './subjects.ts';
import { survivalTable } from './survival.ts';
import { trialsTable } from './trials.ts';
import { verdictText } from './verdict.ts';

/** A run for a person, in at most 100 columns where names allow: tables, findings, and the verdict last. */
export function terminalReport(run: RunSummary, records: TrialRecord[], paint: Paint): string {
  const sections: [title: string, text: string][] = [
    ['Trials', trialsTable(run, paint)],
    ['What each survives', survivalTable(run, paint)],
    ['Kills and the lock', lockLeftBehindTable(run, records, paint)],
    ['Subjects', subjectsTable(run, records, paint)],
    ['Where faults landed', [hitTable(run, paint), killedAt(run, paint)].filter((text) => text !== '').join('\n\n')],
    ['Controls', controlsText(run, paint)],
    ['Findings', findingsText(run, paint)],
    ['Void trials', voidText(records, paint)],
    ['Determinism', determinismText(run, paint)],
  ];
  const told = sections.filter(([, text]) => text !== '').map(([title, text]) => `${paint('bold', title)}\n${text}\n`);
  return [`${paint('bold', run.campaign)} under ${run.driver}\n`, ...told, `${verdictText(run, paint)}\n`].join('\n');
}
