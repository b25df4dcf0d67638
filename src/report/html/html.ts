import { join } from 'node:path';
import type { History } from '../../history/history.ts';
import { UnreadableFileError } from '../../history/lines.ts';
import { readHistory } from '../../history/read.ts';
import type { TrialRecord } from '../../history/record.ts';
import type { RunSummary } from '../../judge/run-summary.ts';
import type { Result } from '../result.ts';
import { chosenTrials } from './chosen-trials.ts';
import { comparePage } from './compare-page.ts';
import { gatePage } from './gate-page.ts';
import { runPage } from './run-page.ts';

/** One page that needs nothing else, for somebody who has a browser: no network, no other file, and a script for nothing but its timelines. */
export async function html(result: Result): Promise<string> {
  switch (result.of) {
    case 'run':
      return runPage({ run: result.summary, records: result.records, histories: await keptHistories(result.summary, result.records) });
    case 'compare':
      return comparePage(result.comparison, result.sides);
    case 'gate':
      return gatePage(result.gate, {
        records: result.records,
        histories: await keptHistories(result.gate.run, result.records),
      });
  }
}

/** The histories of the trials that are worth showing, by id. What was not kept, not downloaded or written by another version is left out. */
async function keptHistories(run: RunSummary, records: TrialRecord[]): Promise<Map<string, History>> {
  const histories = new Map<string, History>();
  for (const { record } of chosenTrials(run, records)) {
    const history = await readHistory(join(run.runDirectory, record.artefacts as string, 'history.ndjson')).catch(noHistory);
    if (history !== null) histories.set(record.id, history);
  }
  return histories;
}

function noHistory(error: unknown): null {
  if (error instanceof UnreadableFileError) return null;
  throw error;
}
