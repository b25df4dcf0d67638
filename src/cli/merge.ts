import type { Command } from 'commander';
import { mergeRuns } from '../campaign-run/merge.ts';
import { destinationsOf, JSON_OPTION, type PublishOptions, publish, REPORTER_OPTION } from './publish.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign merge shard-1 shard-2 shard-3 --out whole
  $ crash-campaign merge shards/* --reporter junit=run.xml

Each trial counts once. A shard that is missing, or did not come to its end, makes the whole void.
The exit code is that of the whole run.`;

/** `merge`: the shards of a run, made one run directory and judged. */
export function addMerge(program: Command, finish: (exitCode: number) => void) {
  program
    .command('merge')
    .argument('<run-directories...>', 'the shards of one run, or the same run from several places')
    .description('Make one run of its shards, and judge it as a whole. Nothing is run.')
    .option('--out <directory>', 'the run directory that is made (default: a new one under reports/runs)')
    .addOption(REPORTER_OPTION)
    .addOption(JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (directories: string[], options: PublishOptions & { out?: string }) => {
      const destinations = destinationsOf(options);
      const { summary, records } = await mergeRuns(directories, options.out, {
        onNote: (text) => process.stderr.write(`crash-campaign: ${text}\n`),
      });
      await publish({ of: 'run', summary, records }, destinations);
      finish(summary.exitCode);
    });
}
