/**
 * How time and memory of a run grow with its trials, with the smallest kernel that there is. A table in Markdown.
 *
 *     npm run bench -- growth [trials …]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured } from '../measured.ts';

const CAMPAIGN = fileURLToPath(new URL('../fixtures/smallest/campaign.ts', import.meta.url));
const counts = process.argv.slice(3).map(Number);

console.log('| trials | s | ms a trial | live heap of the harness | its peak memory |\n|---|---|---|---|---|');
for (const count of counts.length > 0 ? counts : [100, 1000, 10_000, 100_000]) {
  const directory = mkdtempSync(join(tmpdir(), 'crash-campaign-growth-'));
  try {
    const out = join(directory, 'run');
    const { exitCode, wall_ms, peak_mb, heap_mb } = await measured([
      'run',
      CAMPAIGN,
      '--seeds',
      `1-${count}`,
      '--no-controls',
      '--keep',
      'none',
      '--out',
      out,
    ]);
    const said = exitCode === 0 ? '' : `, exit code ${exitCode}`;
    console.log(
      `| ${count.toLocaleString('en')} | ${(wall_ms / 1000).toFixed(1)} | ${(wall_ms / count).toFixed(1)} | ${heap_mb.toFixed(0)} MB | ${peak_mb.toFixed(0)} MB${said} |`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
