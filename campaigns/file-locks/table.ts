/**
 * Writes docs/file-locks.md from the records of a run.
 *
 *     npx node campaigns/file-locks/table.ts <run directory>
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import campaign from './campaign.ts';
import { pageOf } from './page.ts';

const PAGE = fileURLToPath(new URL('../../docs/file-locks.md', import.meta.url));

const [directory, ...more] = process.argv.slice(2);
if (directory === undefined || more.length > 0) {
  process.stderr.write('usage: table.ts <run directory>\n');
  process.exit(64);
}
const { summary } = await judgeAgain(directory);
writeFileSync(PAGE, pageOf(summary, campaign.subjects ?? [], campaign.scenarios));
