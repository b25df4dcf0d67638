import type { Command } from 'commander';
import { judgeAgain } from '../campaign-run/run-file.ts';
import { paintFor } from '../report/paint.ts';
import { terminalReport } from '../report/terminal/terminal.ts';
import { cutShort } from './cut-short.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest --json

The exit code is that of the run.`;

/** `report`: a run judged and printed again from its records alone. Nothing is run. */
export function addReport(program: Command, finish: (exitCode: number) => void) {
  program
    .command('report')
    .argument('<run-directory>', 'where the records of a run are')
    .description('Judge and print a run again, from its records alone.')
    .option('--json', 'print one JSON object on stdout, and everything else on stderr')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, { json = false }: { json?: boolean }) => {
      const { summary: judged, records, finished, torn } = await judgeAgain(directory);
      if (torn) process.stderr.write('crash-campaign: the last line of trials.ndjson is torn, as a crash leaves it: it was dropped\n');
      const summary = finished ? judged : cutShort(judged);
      process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : terminalReport(summary, records, paintFor(process.stdout)));
      finish(summary.exitCode);
    });
}
