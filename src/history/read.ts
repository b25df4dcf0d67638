import { z } from 'zod';
import { noFaults } from '../plan/no-faults.ts';
import { condenser } from './condense.ts';
import type { Entry, History, TrialFacts } from './history.ts';
import { eachLine, readLines, requireSchema, UnreadableFileError } from './lines.ts';
import type { TrialRecord } from './record.ts';
import { trialRecordSchema } from './record-schema.ts';

/**
 * The trials of a `trials.ndjson`, in the order in which they ended. `torn`: a crash cut the last line off, and it was dropped.
 * Throws UnreadableFileError.
 */
export async function readRecords(file: string): Promise<{ records: TrialRecord[]; torn: boolean }> {
  const records: TrialRecord[] = [];
  const condense = condenser();
  const torn = await eachRecord(file, (record) => records.push(condense(record)));
  return { records, torn };
}

/**
 * Like readRecords, for files too big to be held. Each record is checked before it is given: what is judged and compared from here on is whole, and there once.
 * Resolves to whether the last line was torn. Throws UnreadableFileError.
 */
export async function eachRecord(file: string, take: (record: TrialRecord) => void): Promise<boolean> {
  const lines = new Map<string, number>();
  return eachLine(file, (value, line) => {
    requireSchema(file, line, value, 'crash-campaign/trial@1');
    const { error } = trialRecordSchema.safeParse(value);
    if (error) throw new UnreadableFileError(file, line, hollow(error));
    const record = value as TrialRecord;
    // The null campaign may have the seed of the golden run, and then both are called the same.
    const golden = `golden ${record.id}`;
    const key = record.scenario === noFaults.name && !lines.has(golden) ? golden : record.id;
    const first = lines.get(key);
    if (first !== undefined)
      throw new UnreadableFileError(
        file,
        line,
        `trial ${record.id} is there already, in line ${first}: a run has each trial once. Was the file joined with itself or with another run's?`,
      );
    lines.set(key, line);
    take(record);
  });
}

function hollow(error: z.ZodError): string {
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  return `it says that it is a trial and is not a whole one: ${path.join('.')}: ${message}. Take the file as the run wrote it, or run the campaign again`;
}

/** A history as written by writeHistory. Throws UnreadableFileError; half a history is one too. */
export async function readHistory(file: string): Promise<History> {
  const { lines, torn } = await readLines(file);
  const [trial, ...entries] = lines;
  requireSchema(file, 1, trial, 'crash-campaign/history@1');
  if (torn) throw new UnreadableFileError(file, lines.length + 1, 'the last line is torn: replay the trial to get its history again');
  return { trial: trial as TrialFacts, entries: entries as Entry[] };
}
