import { existsSync } from 'node:fs';
import { readRecords } from '../history/read.ts';
import type { TrialRecord } from '../history/record.ts';
import { unknownName } from './choose.ts';
import { UsageError } from './exit-code.ts';

/**
 * The record that `file` or `file:id` names; without an id the first that broke, or the only one.
 * Throws UsageError and UnreadableFileError.
 */
export async function findRecord(reference: string): Promise<TrialRecord> {
  const colon = reference.lastIndexOf(':');
  const [file, id] = existsSync(reference) || colon < 0 ? [reference, null] : [reference.slice(0, colon), reference.slice(colon + 1)];
  const { records } = await readRecords(file);
  if (id !== null) {
    const named = records.find((record) => record.id === id);
    if (named) return named;
    throw new UsageError(unknownName('trial', id, nearby(id, records)));
  }
  const chosen =
    records.find(({ variant, verdict }) => variant === null && verdict === 'broken') ?? (records.length === 1 ? records[0] : undefined);
  if (chosen) return chosen;
  throw new UsageError(
    `${file} has ${records.length} trials and none is broken: name one, --record ${file}:ID, e.g. ID = ${records[0]?.id ?? '…'}`,
  );
}

/** A run has thousands of trials: only those of the same scenario are worth listing. */
function nearby(id: string, records: TrialRecord[]): string[] {
  const ids = records.map((record) => record.id);
  const same = ids.filter((other) => other.split('/').slice(0, -1).join('/') === id.split('/').slice(0, -1).join('/'));
  return (same.length > 0 ? same : ids).slice(0, 10);
}
