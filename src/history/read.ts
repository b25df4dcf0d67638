import type { Entry, History, TrialFacts } from './history.ts';
import { readLines, requireSchema, UnreadableFileError } from './lines.ts';
import type { TrialRecord } from './record.ts';

/**
 * The trials of a `trials.ndjson`, in the order in which they ended. `torn`: a crash cut the last line off, and it was dropped.
 * Throws UnreadableFileError.
 */
export async function readRecords(file: string): Promise<{ records: TrialRecord[]; torn: boolean }> {
  const { lines, torn } = await readLines(file);
  for (const [index, line] of lines.entries()) requireSchema(file, index + 1, line, 'crash-campaign/trial@1');
  return { records: lines as TrialRecord[], torn };
}

/** A history as written by writeHistory. Throws UnreadableFileError; half a history is one too. */
export async function readHistory(file: string): Promise<History> {
  const { lines, torn } = await readLines(file);
  const [trial, ...entries] = lines;
  requireSchema(file, 1, trial, 'crash-campaign/history@1');
  if (torn) throw new UnreadableFileError(file, lines.length + 1, 'the last line is torn: replay the trial to get its history again');
  return { trial: trial as TrialFacts, entries: entries as Entry[] };
}
