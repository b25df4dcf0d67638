import { join } from 'node:path';
import type { Command } from 'commander';
import { readRunFile } from '../campaign-run/run-file.ts';
import { readRecords } from '../history/read.ts';
import { judgeRun } from '../judge/campaign-verdict.ts';
import { paintFor } from '../report/paint.ts';
import { terminalReport } from '../report/terminal/terminal.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest          print its tables again
  $ crash-campaign report reports/runs/2026-01-01T00-00-00-ingest --json   what --json would have printed

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
      const facts = await readRunFile(directory);
      const { records, torn } = await readRecords(join(directory, 'trials.ndjson'));
      if (torn) process.stderr.write('crash-campaign: the last line of trials.ndjson is torn, as a crash leaves it: it was dropped\n');
      const summary = judgeRun(records, { ...facts, runDirectory: directory });
      process.stdout.write(json ? `${JSON.stringify(summary, null, 2)}\n` : terminalReport(summary, records, paintFor(process.stdout)));
      finish(summary.exitCode);
    });
}
