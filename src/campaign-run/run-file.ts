import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireSchema, UnreadableFileError } from '../history/lines.ts';
import { readRecords } from '../history/read.ts';
import type { TrialRecord } from '../history/record.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import type { RunFacts, RunSummary, ShrunkFinding } from '../judge/run-summary.ts';
import { noFaults } from '../plan/no-faults.ts';
import type { RunIdentity, RunRequest } from './request.ts';
import { runFileSchema } from './run-file-schema.ts';
import { acquireRunLock } from './run-lock.ts';
import { openRunStore } from './run-store.ts';

/** `run.json`: with it and `trials.ndjson` a run can be judged again without its campaign. It is there from the beginning of a run, and complete at its end. */
export interface RunFile {
  schema: 'crash-campaign/run-facts@1';
  /** Whether the run came to its end. */
  finished: boolean;
  /** So many of the first records are golden runs. */
  goldenRuns: number;
  /** How many others the whole run has, all shards included; null: nobody knows. */
  trials?: number | null;
  /** So many records, golden runs included, it had when it came to its end. Absent before that, and in older runs. */
  records?: number;
  /** What it was asked for and what it was made with, so that it can be gone on with. Absent in older runs, like the number of trials. */
  request?: RunRequest;
  identity?: RunIdentity;
  /** The queue by which workers get its trials. Absent: they were all run by the harness itself. */
  queue?: string;
  facts: Omit<RunFacts, 'nullCampaign' | 'runDirectory'> & { nullCampaign: boolean };
}

export function runFileOf(facts: RunFacts, progress: Omit<RunFile, 'schema' | 'facts'>): RunFile {
  const { runDirectory: _, ...stored } = facts;
  return {
    schema: 'crash-campaign/run-facts@1',
    ...progress,
    facts: {
      ...stored,
      scenarios: facts.scenarios.map(({ name, quotas, aims }) => ({ name, quotas, aims })),
      subjects: facts.subjects.map(({ name, knownDefects, notApplicable }) => ({ name, knownDefects, notApplicable })),
      variants: facts.variants.map(({ name, expect }) => ({ name, expect })),
      nullCampaign: facts.nullCampaign !== null,
    },
  };
}

export const RUN_FILE = 'run.json';

export function printRunFile(file: RunFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Adds findings that were made smaller to a run that is over. */
export async function noteShrunk(runDirectory: string, shrunk: ShrunkFinding[]): Promise<void> {
  const lock = await acquireRunLock(runDirectory);
  try {
    const store = await openRunStore(runDirectory, lock);
    try {
      const file = await readRunFile(runDirectory);
      await store.publish(RUN_FILE, printRunFile({ ...file, facts: { ...file.facts, shrunk } }));
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

export interface RunAgain {
  summary: RunSummary;
  records: TrialRecord[];
  finished: boolean;
  /** A crash cut the last record off, and it was dropped. */
  torn: boolean;
}

/** Judges a run again from what is in its directory. Throws UnreadableFileError. */
export async function judgeAgain(runDirectory: string): Promise<RunAgain> {
  const file = await readRunFile(runDirectory);
  const { records, torn } = await readRecords(join(runDirectory, 'trials.ndjson'));
  return { summary: judgeRecords(file, records, runDirectory), records, finished: file.finished, torn };
}

/** @param records Of the whole run, in the order in which they stand in its file. */
export function judgeRecords(file: RunFile, records: TrialRecord[], runDirectory: string): RunSummary {
  const { facts, goldenRuns } = file;
  const rest = records.slice(goldenRuns);
  const [undisturbed, judged] = [true, false].map((is) => rest.filter(({ scenario }) => (scenario === noFaults.name) === is)) as [
    TrialRecord[],
    TrialRecord[],
  ];
  // A run whose golden run did not hold has nothing else, and is judged by that.
  return judgeRun(rest.length === 0 ? records.slice(-1) : judged, {
    ...facts,
    nullCampaign: facts.nullCampaign ? undisturbed : null,
    runDirectory,
    ...lossOf(file, records.length),
  });
}

/** What a run has lost of the records that it had when it came to its end. */
export function lossOf({ finished, records: of = 0 }: RunFile, found: number): Pick<RunFacts, 'lost'> {
  return finished && found < of ? { lost: { records: of - found, of } } : {};
}

/** What a run directory says of its run. Throws UnreadableFileError. */
export async function readRunFile(runDirectory: string): Promise<RunFile> {
  const path = join(runDirectory, RUN_FILE);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UnreadableFileError(
      path,
      null,
      cause.code === 'ENOENT' ? 'there is no such file: is this the directory of a run?' : cause.message,
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFileError(path, null, 'it is not JSON');
  }
  requireSchema(path, null, value, 'crash-campaign/run-facts@1');
  const [hollow] = runFileSchema.safeParse(value).error?.issues ?? [];
  if (hollow)
    throw new UnreadableFileError(path, null, `it is not whole: ${hollow.path.join('.')}: ${hollow.message}. Take it as the run wrote it`);
  return value as RunFile;
}
