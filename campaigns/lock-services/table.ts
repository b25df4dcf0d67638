/**
 * Writes docs/lock-services.md from the records of runs: of this campaign, and of others whose locks belong into the same table.
 *
 *     npx node campaigns/lock-services/table.ts <run directory> …
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeAgain } from '../../src/campaign-run/run-file.ts';
import { pageOf, type RunOfLocks } from './page.ts';

const PAGE = fileURLToPath(new URL('../../docs/lock-services.md', import.meta.url));

const directories = process.argv.slice(2);
if (directories.length === 0) {
  process.stderr.write('usage: table.ts <run directory> …\n');
  process.exit(64);
}

const runs: RunOfLocks[] = [];
for (const directory of directories) {
  const { summary, records } = await judgeAgain(directory);
  const { ttl_ms } = JSON.parse(readFileSync(join(directory, 'golden.json'), 'utf8'));
  runs.push({ summary, records, ttl_ms });
}
writeFileSync(PAGE, pageOf(runs));
