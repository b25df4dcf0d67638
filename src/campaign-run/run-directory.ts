import { constants, existsSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';
import { quote } from '../judge/findings.ts';

/**
 * Makes the directory of a run: the one asked for, which must be new or empty of a run, or `reports/runs/<time>-<campaign>` under the working directory.
 * @throws When there is a run in it already.
 */
export async function makeRunDirectory(asked: string | undefined, campaign: string, at: Date): Promise<string> {
  if (asked === '')
    throw new CampaignError({ problem: '--out names no directory', remedy: 'Give the path of a directory, or leave --out away.' });
  if (asked !== undefined) {
    const directory = resolve(asked);
    if (existsSync(join(directory, 'run.json'))) throw runIsThere(directory);
    await make(directory);
    return directory;
  }
  const runs = resolve('reports/runs');
  await make(runs);
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

export function runIsThere(directory: string): CampaignError {
  return new CampaignError({
    problem: `there is a run in ${directory} already`,
    remedy: `Give another directory, or go on with it: ${resumeCommand(directory)}.`,
  });
}

/** The command that goes on with a run. */
export function resumeCommand(runDirectory: string): string {
  return `npx crash-campaign run --resume ${quote(runDirectory)}`;
}

async function make(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CampaignError(
      { problem: `the run can't be written to ${directory}: ${code}`, remedy: 'Give a directory that can be made, with --out.' },
      { cause },
    );
  }
}
