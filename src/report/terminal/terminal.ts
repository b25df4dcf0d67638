import type { TrialRecord } from '../../history/record.ts';
import type { Paint } from '../paint.ts';
import type { RunSummary } from '../run-summary.ts';
import { controlsTable } from './controls.ts';
import { findingsText, voidText } from './findings.ts';
import { hitTable, killedAt } from './hits.ts';
import { campaignTime, lockLeftBehindTable } from './lock-left-behind.ts';
import { trialsTable } from './trials.ts';
import { verdictText } from './verdict.ts';

/** A run for a person, in at most 100 columns where names allow: tables, findings, and the verdict last. */
export function terminalReport(run: RunSummary, records: TrialRecord[], paint: Paint): string {
  const sections: [title: string, text: string][] = [
    ['Trials', trialsTable(run, paint)],
    ['Kills and the lock', `${lockLeftBehindTable(records, paint)}\n${campaignTime(run, records.length)}`],
    ['Where faults landed', [hitTable(run, paint), killedAt(run, paint)].filter(Boolean).join('\n\n')],
    ['Negative controls', run.controls.length === 0 ? '' : controlsTable(run, paint)],
    ['Findings', findingsText(run, records, paint)],
    ['Void trials', voidText(records, paint)],
  ];
  const told = sections.filter(([, text]) => text !== '').map(([title, text]) => `${paint('bold', title)}\n${text}\n`);
  return [`${paint('bold', run.campaign)} under ${run.driver}\n`, ...told, `${verdictText(run, paint)}\n`].join('\n');
}
