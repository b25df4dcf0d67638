import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CampaignError } from '../campaign/campaign-error.ts';

/**
 * Makes the directory of a run: the one asked for, which must be new or empty of a run, or `reports/runs/<time>-<campaign>` under the working directory.
 * @throws When there is a run in it already.
 */
export async function makeRunDirectory(asked: string | undefined, campaign: string, at: Date): Promise<string> {
  if (asked !== undefined) {
    const directory = resolve(asked);
    if (existsSync(join(directory, 'run.json')))
      throw new CampaignError({ problem: `there is a run in ${directory} already`, remedy: 'Give another directory.' });
    await mkdir(directory, { recursive: true });
    return directory;
  }
  const runs = resolve('reports/runs');
  await mkdir(runs, { recursive: true });
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
