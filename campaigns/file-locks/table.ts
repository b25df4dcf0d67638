/**
 * Writes docs/file-locks.md from the records of a run.
 *
 *     npx node campaigns/file-locks/table.ts <run directory>
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import { EXIT, UsageError } from '../../src/cli/exit-code.ts';
import { script } from '../../src/cli/script.ts';
import campaign from './campaign.ts';
import { pageOf } from './page.ts';

const PAGE = fileURLToPath(new URL('../../docs/file-locks.md', import.meta.url));

await script('table.ts', async () => {
  const [directory, ...more] = process.argv.slice(2);
  if (directory === undefined || more.length > 0) throw new UsageError('Write table.ts <run directory>');
  const { summary } = await judgeAgain(directory);
  writeFileSync(PAGE, pageOf(summary, campaign.subjects ?? [], campaign.scenarios));
  return EXIT.pass;
});
