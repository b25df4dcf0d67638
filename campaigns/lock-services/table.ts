/**
 * Writes docs/lock-services.md from the records of runs: of this campaign first, and of others whose locks belong into the same table.
 *
 *     npx node campaigns/lock-services/table.ts <run directory> …
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCampaign } from '../../src/campaign/load.ts';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import { EXIT, UsageError } from '../../src/cli/exit-code.ts';
import { script } from '../../src/cli/script.ts';
import type { RunOfLocks } from './all-locks.ts';
import { pageOf } from './page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

await script('table.ts', async () => {
  const runs: RunOfLocks[] = [];
  for (const directory of process.argv.slice(2)) {
    const { summary, records } = await judgeAgain(directory);
    const { campaign } = await loadCampaign(summary.campaign, { cwd: ROOT });
    runs.push({ summary, campaign, records });
  }
  if (runs[0]?.campaign.name !== 'lock-services')
    throw new UsageError('Write table.ts <run directory of lock-services> <run directory of another campaign> …');
  writeFileSync(`${ROOT}docs/lock-services.md`, pageOf(runs));
  return EXIT.pass;
});
