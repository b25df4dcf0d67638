import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeRecords, RUN_FILE, readRunFile } from '../campaign-run/run-file.ts';
import { readRecords } from '../history/read.ts';
import type { TrialRecord } from '../history/record.ts';
import { type Finding, findingsOf } from '../judge/findings.ts';
import { unknownName } from './choose.ts';
import { UsageError } from './exit-code.ts';

/**
 * The record that `file` or `file:id` names. Without an id the example of the first finding of the run, as its report shows it, or of the first that is
 * about `invariant`: the smallest plan that shows it, and not the first trial that happened to end. A lone record needs no finding.
 * Throws UsageError and UnreadableFileError.
 */
export async function findRecord(reference: string, invariant?: string): Promise<{ record: TrialRecord; finding: Finding | null }> {
  const colon = reference.lastIndexOf(':');
  const [file, id] = existsSync(reference) || colon < 0 ? [reference, null] : [reference.slice(0, colon), reference.slice(colon + 1)];
  const { records } = await readRecords(file);
  if (id !== null) {
    const named = records.find((record) => record.id === id);
    if (named) return { record: named, finding: null };
    throw new UsageError(unknownName('trial', id, nearby(id, records)));
  }
  const findings = await findingsIn(file, records);
  const about = [...new Set(findings.map(({ invariant }) => invariant))];
  if (invariant !== undefined && about.length > 0 && !about.includes(invariant))
    throw new UsageError(unknownName('finding about', invariant, about));
  const finding = findings.find((finding) => invariant === undefined || finding.invariant === invariant);
  const example = finding && records.find((record) => isExample(record, finding));
  if (finding && example) return { record: example, finding };
  const [lone] = records;
  if (lone && records.length === 1) return { record: lone, finding: null };
  throw new UsageError(
    `${file} has ${records.length} trials and none is broken: name one, --record ${file}:ID, e.g. ID = ${lone?.id ?? '…'}`,
  );
}

/** What the report of the run shows. Records that came without their run are judged as those of a kernel without known defects. */
async function findingsIn(file: string, records: TrialRecord[]): Promise<Finding[]> {
  const directory = dirname(file);
  if (existsSync(join(directory, RUN_FILE))) return judgeRecords(await readRunFile(directory), records, directory).findings;
  const own = records.filter(({ variant }) => variant === null);
  return findingsOf(own, [], { target: '', defaultDriver: 'sim' });
}

function isExample(record: TrialRecord, { scenario, subject, variant, seed, plan, shrunk }: Finding): boolean {
  return (
    record.scenario === scenario &&
    record.subject === subject &&
    record.variant === variant &&
    record.seed === seed &&
    record.plan === (shrunk?.from ?? plan)
  );
}

/** A run has thousands of trials: only those of the same scenario are worth listing. */
function nearby(id: string, records: TrialRecord[]): string[] {
  const ids = records.map((record) => record.id);
  const same = ids.filter((other) => other.split('/').slice(0, -1).join('/') === id.split('/').slice(0, -1).join('/'));
  return (same.length > 0 ? same : ids).slice(0, 10);
}
