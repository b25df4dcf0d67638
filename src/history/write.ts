import { appendFile, writeFile } from 'node:fs/promises';
import type { History } from './history.ts';
import type { TrialRecord } from './record.ts';

/**
 * Adds a trial to `trials.ndjson`. The line is written with one call, newline last, and flushed to the disk before this
 * resolves: a trial that has been reported survives a power cut, and a crash leaves at most one torn line, at the end.
 */
export async function appendRecord(file: string, record: TrialRecord): Promise<void> {
  await appendFile(file, `${JSON.stringify(record)}\n`, { flush: true });
}

/** Writes a history: a line of trial facts, then a line for each entry. */
export async function writeHistory(file: string, history: History): Promise<void> {
  const lines = [history.trial, ...history.entries].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(file, lines.join(''));
}
