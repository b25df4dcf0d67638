import { Command, CommanderError } from 'commander';
import { version } from '../campaign-run/versions.ts';
import { addCompare } from './compare.ts';
import { addDoctor } from './doctor.ts';
import { EXIT } from './exit-code.ts';
import { explain } from './explain.ts';
import { addExplore } from './explore.ts';
import { addGate } from './gate.ts';
import { addInit } from './init.ts';
import { addList } from './list.ts';
import { addMerge } from './merge.ts';
import { addRecheck } from './recheck.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addRun } from './run.ts';
import { addShrink } from './shrink.ts';
import { addWorker } from './worker.ts';

const TEACHING = `
Begin here:
  $ crash-campaign init                                a first campaign, in your own project
  $ crash-campaign list                                what there is to run
  $ crash-campaign run ingest                          a whole campaign, with its controls
  $ crash-campaign run ingest --seeds 1000-1004        a quick look
  $ crash-campaign replay ingest --scenario steal-lock --seed 1003 --timeline
  $ crash-campaign compare before-run after-run        did recovery get slower?
  $ crash-campaign run path/to/campaign.ts --json      your own campaign, for a machine to read

Exit codes:
  0 pass · 1 an invariant broke · 2 void: too little was hit · 3 blind: a control was not caught
  64 usage or configuration · 70 the harness itself failed · 130 interrupted`;

/**
 * Runs the command line and resolves to its exit code (DESIGN 4.4); it never throws. Results go to stdout, everything else to stderr.
 * @param argv without the program's own name
 */
export async function main(argv: string[]): Promise<number> {
  for (const name of ['stdout', 'stderr'] as const) process[name].on('error', (error) => notWritten(name, error));
  process.on('uncaughtException', fail);
  // A file that grows to the limit fails to be written, as on a full disk; otherwise the system would end this process.
  process.on('SIGXFSZ', () => {});
  let exitCode: number = EXIT.harness;
  const finish = (code: number) => {
    exitCode = code;
  };
  const program = new Command('crash-campaign')
    .description('Seeded crash testing for programs that guard their state with locks, leases and fencing tokens.')
    .version(version)
    .option('--verbose', 'show the whole stack of an error')
    .addHelpText('after', TEACHING)
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'crash-campaign:')) })
    .exitOverride();
  addInit(program, finish);
  addRun(program, finish);
  addExplore(program, finish);
  addReplay(program, finish);
  addShrink(program, finish);
  addCompare(program, finish);
  addGate(program, finish);
  addWorker(program, finish);
  addMerge(program, finish);
  addReport(program, finish);
  addRecheck(program, finish);
  addList(program, finish);
  addDoctor(program, finish);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already said what is wrong. It gives 0 to --help and --version, and 1 to whatever is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    const { text, exitCode: code } = explain(error, program.opts().verbose === true || process.env.DEBUG !== undefined);
    process.stderr.write(`crash-campaign: ${text}\n`);
    return code;
  }
}

/** Whoever reads what we say may have seen enough, as `head` does; the run and its records go on. */
function notWritten(name: string, { code, message }: NodeJS.ErrnoException) {
  if (code === 'EPIPE') return;
  process.stderr.write(`crash-campaign: ${name} can't be written to: ${message}\n`);
  process.exit(EXIT.harness);
}

/** Node's own exit code for an uncaught error is 1, and 1 says that an invariant broke. */
function fail(error: Error) {
  process.stderr.write(`crash-campaign: ${explain(error, true).text}\n`);
  process.exit(EXIT.harness);
}
