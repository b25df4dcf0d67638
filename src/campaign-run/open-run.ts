import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import { readRecords } from '../history/read.ts';
import type { TrialRecord } from '../history/record.ts';
import type { Golden } from '../plan/scenario.ts';
import { GOLDEN_FILE, readGolden } from './golden-file.ts';
import { isGoldenRun } from './golden-run.ts';
import { type RunIdentity, type RunRequest, requireSameIdentity, requireSameRequest } from './request.ts';
import { deniedBy, makeRunDirectory, makeWritable, namedDirectory, requireNoRecords, requireNoRun } from './run-directory.ts';
import { RunStoppedError, stoppedBy } from './run-errors.ts';
import { lossOf, printRunFile, RUN_FILE, type RunFile, readRunFile } from './run-file.ts';
import { acquireRunLock } from './run-lock.ts';
import { openRunStore, type RunStore } from './run-store.ts';
import { watchFile } from './watch-file.ts';

/** What to do about a run that is there already: `refuse` it, go on with it (`resume`), or go on with it if there is one (`resume-or-start`). */
export type Existing = 'refuse' | 'resume' | 'resume-or-start';

/** A run directory that this harness holds. */
export interface OpenRun {
  directory: string;
  /** The run that was found there. One that has lost a record has not come to its end. */
  before: RunFile | null;
  /** What of it was recorded. The null campaign may have a trial that is called like a golden run. */
  goldenRuns: Map<string, TrialRecord>;
  trials: Map<string, TrialRecord>;
  /** What the golden run measured. Under the real clock it would measure something else each time, and other plans would be drawn. */
  golden: Golden | null;
  record(record: TrialRecord): Promise<void>;
  /** How many records there are, golden runs included. */
  recorded(): number;
  writeGolden(golden: Golden): Promise<void>;
  writeFile(file: RunFile): Promise<void>;
  /** Lets another harness have the directory. */
  close(): Promise<void>;
}

/**
 * Opens the directory of a run, and takes its lock.
 * @throws {CampaignError} When a run is there and should not be, or the other way round, or it is another one.
 * @throws {RunHeldError} When another harness is at work on it.
 */
export async function openRun(
  options: { directory: string | undefined; campaign: string; existing: Existing; onNote?: ((text: string) => void) | undefined },
  request: RunRequest,
  identity: RunIdentity,
): Promise<OpenRun> {
  const directory = await place(options);
  const said = (error: unknown) => stoppedBy(deniedBy(error, directory), directory);
  const lock = await acquireRunLock(directory, {
    onWait: (ms) => options.onNote?.(`waiting up to ${Math.ceil(ms / 1000)} s for the lease of a harness that can't be seen from here`),
  }).catch((error: unknown) => {
    throw said(error);
  });
  let store: RunStore | null = null;
  try {
    const before = await found(directory, options.existing);
    if (before) {
      if (!before.request || !before.identity)
        throw new CampaignError({ problem: `the run in ${directory} does not say what it was asked for`, remedy: 'Start a new run.' });
      requireSameRequest(directory, before.request, request);
      requireSameIdentity(directory, before.identity, { ...identity, plans: null });
    }
    const open = await openRunStore(directory, lock);
    store = open;
    const trials = join(directory, 'trials.ndjson');
    const { records } = await readRecords(trials);
    const first = before?.goldenRuns ?? 0;
    requireGoldenRuns(directory, records.slice(0, first));
    const { lost } = before ? lossOf(before, records.length) : {};
    if (open.torn) options.onNote?.('the last record was torn by a crash: its trial is run again');
    else if (lost) options.onNote?.(`${lost.records} of ${lost.of} records are gone from trials.ndjson: their trials are run again`);
    let recorded = records.length;
    const watch = watchFile(trials);
    const requireWhole = () => {
      const loss = watch.look();
      if (loss === null) return;
      // A successor puts another in its place.
      lock.check();
      throw new RunStoppedError(
        directory,
        `${trials} was ${loss} while this run was writing it`,
        'Leave it alone while a run is at work. Trials whose records are gone will be run again.',
      );
    };
    const golden = before && (await readGolden(directory));
    const byId = (some: TrialRecord[]) => new Map(some.map((record) => [record.id, record]));
    return {
      directory,
      before: before && { ...before, finished: before.finished && !lost && !open.torn },
      goldenRuns: byId(records.slice(0, first)),
      trials: byId(records.slice(first)),
      golden,
      async record(record) {
        requireWhole();
        const line = JSON.stringify(record);
        await open.append(line);
        watch.grown(Buffer.byteLength(line) + 1);
        recorded += 1;
      },
      recorded: () => recorded,
      writeGolden: (golden) => open.publish(GOLDEN_FILE, `${JSON.stringify(golden)}\n`),
      async writeFile(file) {
        requireWhole();
        await open.publish(RUN_FILE, printRunFile(file));
      },
      async close() {
        await open.close();
        lock.release();
      },
    };
  } catch (error) {
    await store?.close();
    lock.release();
    throw said(error);
  }
}

/** Golden runs are known by standing first: without one of them, what follows would be taken for it. */
function requireGoldenRuns(directory: string, first: TrialRecord[]): void {
  if (first.every(isGoldenRun)) return;
  throw new CampaignError({
    problem: `the record of a golden run is gone from ${join(directory, 'trials.ndjson')}`,
    remedy: 'Take the file as the run wrote it, or start a new run.',
  });
}

async function place({ directory, campaign, existing }: { directory: string | undefined; campaign: string; existing: Existing }) {
  if (existing === 'refuse' || directory === undefined) return makeRunDirectory(directory, campaign, new Date());
  const path = namedDirectory(directory);
  // Nothing is written where there is nothing to be resumed.
  if (existing === 'resume') await readRunFile(path);
  await makeWritable(path);
  return path;
}

/** Looked at under the lock: two harnesses may have been started at once. */
async function found(directory: string, existing: Existing): Promise<RunFile | null> {
  if (existing === 'refuse') requireNoRun(directory);
  if (existsSync(join(directory, RUN_FILE))) return readRunFile(directory);
  requireNoRecords(directory);
  return null;
}
