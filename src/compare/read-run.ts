import { join } from 'node:path';
import type { DriverName } from '../campaign/campaign.ts';
import { readRunFile } from '../campaign-run/run-file.ts';
import { eachRecord } from '../history/read.ts';
import type { ReplayTarget } from '../judge/findings.ts';
import { noFaults } from '../plan/no-faults.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** A run as a comparison sees it: the trials of the kernels as they are, by subject. */
export interface ComparedRun extends ReplayTarget {
  directory: string;
  campaign: string;
  driver: DriverName;
  /** Whether the run came to its end. */
  finished: boolean;
  /** A crash cut the last record off, and it was dropped. */
  torn: boolean;
  subjects: Map<string, Outcome[]>;
}

/** Reads the records of a run, one after the other. Throws UnreadableFileError. */
export async function readRun(directory: string): Promise<ComparedRun> {
  const { facts, finished } = await readRunFile(directory);
  const subjects = new Map<string, Outcome[]>(facts.subjects.map(({ name }) => [name, []]));
  const torn = await eachRecord(join(directory, 'trials.ndjson'), (record) => {
    if (record.variant !== null || record.scenario === noFaults.name) return;
    const outcomes = subjects.get(record.subject) ?? [];
    outcomes.push(outcomeOf(record));
    subjects.set(record.subject, outcomes);
  });
  const { campaign, driver, target, defaultDriver } = facts;
  return { directory, campaign, driver, target, defaultDriver, finished, torn, subjects };
}
