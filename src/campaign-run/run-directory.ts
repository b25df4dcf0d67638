import { constants, existsSync, statSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import { quote } from '../judge/findings.ts';
import { makeDirectory } from './make-directory.ts';

/**
 * Makes the directory of a run: the one asked for, which must be new or empty of a run, or `reports/runs/<time>-<campaign>` under the working directory.
 * @throws When there is a run in it already.
 */
export async function makeRunDirectory(asked: string | undefined, campaign: string, at: Date): Promise<string> {
  if (asked !== undefined) {
    const directory = namedDirectory(asked);
    await makeWritable(directory);
    requireNoRun(directory);
    return directory;
  }
  const runs = resolve('reports/runs');
  await makeWritable(runs);
  const name = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}-${campaign}`;
  for (let count = 1; ; count += 1) {
    const directory = join(runs, count === 1 ? name : `${name}-${count}`);
    try {
      await mkdir(directory);
      return directory;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The absolute path of a run directory. An empty one, as of a variable that is not set, would be the working directory. */
export function namedDirectory(path: string): string {
  if (path === '') throw new CampaignError({ problem: 'the path of the run directory is empty', remedy: 'Give the path of a directory.' });
  return resolve(path);
}

/** Throws a CampaignError when a run is there, or records of which nobody can tell what run they are of. */
export function requireNoRun(directory: string): void {
  if (existsSync(join(directory, 'run.json')))
    throw new CampaignError({
      problem: `there is a run in ${directory} already`,
      remedy: `Give another directory, or go on with it: ${resumeCommand(directory)}.`,
    });
  requireNoRecords(directory);
}

/** Records are written behind `run.json`: those that are there without it are of another run, or it was taken away from them. */
export function requireNoRecords(directory: string): void {
  if ((statSync(join(directory, 'trials.ndjson'), { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new CampaignError({
    problem: `there are records in ${directory} (trials.ndjson), and no run.json that tells what run they are of`,
    remedy: 'Give another directory, or put run.json back; if nobody needs the records, remove them.',
  });
}

/** The command that goes on with a run. */
export function resumeCommand(runDirectory: string): string {
  return `npx crash-campaign run --resume ${quote(runDirectory)}`;
}

/** Throws a CampaignError when it can't be. */
export async function makeWritable(directory: string): Promise<void> {
  try {
    makeDirectory(directory);
    await access(directory, constants.W_OK);
  } catch (cause) {
    throw unwritable(cause, directory);
  }
}

/** Says of an error whose path is in the run directory that it can't be written. */
function unwritable(cause: unknown, directory: string): CampaignError {
  const { code, path } = cause as NodeJS.ErrnoException;
  const where = path === undefined || path === directory ? '' : ` at ${path}`;
  const remedy = 'Give a directory that can be made, or one in which everything can be written, with --out or --resume.';
  return new CampaignError({ problem: `the run can't be written to ${directory}: ${code}${where}`, remedy }, { cause });
}

/** What an error means that came up while a run directory was taken over: whoever may not write there is told so. Any other error is returned as it is. */
export function deniedBy(error: unknown, directory: string): unknown {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '') ? unwritable(error, directory) : error;
}
