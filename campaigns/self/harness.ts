/**
 * The harness as a kernel: it runs a small campaign, or goes on with it, in the run directory that it is given.
 *
 *     SELF_DRIVER=sim node campaigns/self/harness.ts <run directory>
 *
 * Exits 0 when the run came to its end, whatever its verdict: that is for the campaign in it to judge.
 */
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/cli/exit-code.ts';
import { main } from '../../src/cli/main.ts';

const inner = fileURLToPath(new URL('inner/campaign.ts', import.meta.url));
const { SELF_DRIVER: driver = 'sim' } = process.env;
const directory = process.argv[2] ?? '';
const exitCode = await main([
  'run',
  inner,
  '--driver',
  driver,
  '--workers',
  '1',
  '--keep',
  'none',
  '--resume-or-start',
  '--out',
  directory,
]);
process.exitCode = exitCode <= EXIT.blind ? 0 : exitCode;
