/**
 * Writes docs/world-local-crash-points.md: every crash of every version after which something was wrong.
 *
 *     npx crash-campaign explore world-local --subject 4.4.1 --json > 4.4.1.json
 *     npx node campaigns/world-local/crash-points.ts 4.4.1.json …
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExploreSummary } from '../../src/search/explore-summary.ts';
import { crashPointsPage } from './crash-points-page.ts';

const PAGE = fileURLToPath(new URL('../../docs/world-local-crash-points.md', import.meta.url));

const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write('usage: crash-points.ts <what explore --json printed> …\n');
  process.exit(64);
}
writeFileSync(PAGE, crashPointsPage(files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as ExploreSummary)));
