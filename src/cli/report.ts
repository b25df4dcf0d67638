import type { Command } from 'commander';
import { judgeAgain } from '../campaign-run/run-file.ts';
import { cutShort } from './cut-short.ts';
import { destinationsOf, JSON_OPTION, type PublishOptions, publish, REPORTER_OPTION } from './publish.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest --json
  $ crash-campaign report downloaded/run --reporter junit=run.xml --reporter markdown=comment.md

The exit code is that of the run.`;

/** `report`: a run judged and told again from its records alone. Nothing is run. */
export function addReport(program: Command, finish: (exitCode: number) => void) {
  program
    .command('report')
    .argument('<run-directory>', 'where the records of a run are')
    .description('Judge a run again from its records alone, and print it, or write it in other forms.')
    .addOption(REPORTER_OPTION)
    .addOption(JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: PublishOptions) => {
      const destinations = destinationsOf(options);
      const { summary: judged, records, finished, torn } = await judgeAgain(directory);
      if (torn) process.stderr.write('crash-campaign: the last line of trials.ndjson is torn, as a crash leaves it: it was dropped\n');
      const summary = finished ? judged : cutShort(judged);
      await publish({ of: 'run', summary, records }, destinations, { quiet: true });
      finish(summary.exitCode);
    });
}
