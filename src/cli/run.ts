import { type Command, Option } from 'commander';
import type { DriverName, ServiceKind } from '../campaign/campaign.ts';
import type { LoadedCampaign } from '../campaign/load.ts';
import { type RunOutcome, runCampaign } from '../campaign-run/run.ts';
import { resumeCommand } from '../campaign-run/run-directory.ts';
import { judgeAgain, noteShrunk } from '../campaign-run/run-file.ts';
import type { Shard } from '../judge/run-summary.ts';
import { cutShort } from './cut-short.ts';
import { duration, KEEP_OPTION, names, percentage, positiveInteger, redisUrl, SERVICE_OPTION, shard, workerCount } from './options.ts';
import { destinationsOf, JSON_OPTION, type PublishOptions, publish, REPORTER_OPTION } from './publish.ts';
import { askedBefore, askedFor } from './run-request.ts';
import { shrinkFindings } from './shrink-findings.ts';
import { watched } from './watched.ts';
import { defaultWorkers, WORKERS_DEFAULT } from './workers.ts';

/** The options of the command line. */
export interface RunArguments extends PublishOptions {
  seeds?: string;
  trials?: number;
  scenario?: string[];
  subject?: string[];
  variant?: string[];
  controls: boolean;
  driver?: DriverName;
  probe?: boolean;
  service?: Partial<Record<ServiceKind, string>>;
  workers?: number;
  keep: 'failed' | 'all' | 'none';
  bail?: boolean;
  untilFail?: boolean;
  timeBudget?: number;
  shrink?: boolean;
  checkDeterminism?: boolean;
  shard?: Shard;
  durations?: string;
  queue?: string;
  verify?: number;
  resume?: string;
  resumeOrStart?: boolean;
  out?: string;
}

const EXAMPLES = `
Examples:
  $ crash-campaign run ingest                                 its scenarios, seeds and controls
  $ crash-campaign run ingest --seeds 1000-1004,1017          these seeds only
  $ crash-campaign run ingest --scenario steal-lock,contend   these scenarios only
  $ crash-campaign run ingest --variant without-resume        only this one of its controls
  $ crash-campaign run ingest --trials 300 --keep all         300 seeds, all artefacts kept
  $ crash-campaign run ingest --driver live                   real clock instead of simulation
  $ crash-campaign run ingest --bail --shrink                 the first broken trial, made small
  $ crash-campaign run ingest --until-fail --time-budget 5m   fresh seeds until something breaks
  $ crash-campaign run ingest --shard 3/8 --out shard-3       an eighth of it, to be merged
  $ crash-campaign run ingest --queue redis://10.0.0.5 --verify 1%   run by workers elsewhere
  $ crash-campaign run --resume reports/runs/nightly          go on where it was interrupted
  $ crash-campaign run ./my/campaign.ts --json > run.json     for a machine

Ctrl-C stops after the trials that have begun and reports what there is; once more stops at once.`;

/** `run`: a whole campaign, from its golden run to its verdict. */
export function addRun(program: Command, finish: (exitCode: number) => void) {
  program
    .command('run')
    .argument('[campaign]', 'its name, or the path of its folder or file (with --resume: the one of that run)')
    .description('Run a campaign: kill the kernel again and again, judge what happened, and say one verdict.')
    .option('--seeds <seeds>', 'e.g. 1000-1029 or 7,9,20-24 (default: those of the campaign)')
    .option('--trials <n>', 'so many seeds, counted on from the first (--until-fail: at most so many)', positiveInteger)
    .option('--scenario <names>', 'only these scenarios, separated by commas', names)
    .option('--subject <names>', 'only these subjects', names)
    .option('--variant <names>', 'only these of the negative controls', names)
    .option('--bail', 'stop at the first broken trial')
    .option('--until-fail', 'fresh seeds, behind those of the campaign, until a trial breaks')
    .option('--time-budget <duration>', 'begin no new trial after so long, e.g. 60s or 5m', duration)
    .option('--shrink', 'make the plan of each finding as small as it can be')
    .option('--check-determinism', 'run each trial twice and compare the histories (sim only)')
    .option('--no-controls', 'no controls at all: the verdict can then not tell whether the checkers still work')
    .addOption(
      new Option('--driver <driver>', 'what runs the trials (default: the first that the campaign has timing for)').choices([
        'sim',
        'live',
      ]),
    )
    .option('--probe', 'under live: number the operations of Node kernels, so that `replay --pin` can repeat a kill under sim')
    .addOption(SERVICE_OPTION)
    .option('--workers <n>', `trials that run at once (${WORKERS_DEFAULT})`, workerCount)
    .addOption(KEEP_OPTION)
    .option('--out <directory>', 'the run directory (default: a new one under reports/runs)')
    .option('--resume <run-directory>', 'go on with a run that was interrupted, as it was started')
    .option('--resume-or-start', 'go on with the run in --out if there is one, and start it there if not')
    .option('--shard <i/n>', 'only the i-th of n parts of the trials, for `merge` to join', shard)
    .option('--durations <run-directory>', 'balance the shards by what each trial took in that run')
    .option('--queue <url>', 'have the trials run by `worker`s that share this Redis, e.g. redis://127.0.0.1:6379', redisUrl)
    .option(
      '--verify <share>',
      'with --queue: have such a share of the trials run by two workers, e.g. 1%, and compare the histories (sim only)',
      percentage,
    )
    .addOption(REPORTER_OPTION)
    .addOption(JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, options: RunArguments, command: Command) => finish(await run(name, options, command)));
}

async function run(name: string | undefined, options: RunArguments, command: Command): Promise<number> {
  const destinations = destinationsOf(options);
  const { resume } = options;
  const asked = resume === undefined ? await askedFor(name, options) : await askedBefore(name, { ...options, resume }, command);
  const { driver } = asked;
  const workers = options.workers ?? defaultWorkers(driver, asked.campaign.campaign);
  let goOn = '';

  const { result: outcome, interrupted } = await watched(
    async (progress, signal) => {
      const outcome = await runCampaign({
        ...asked,
        workers,
        signal,
        onOpen: (runDirectory) => {
          goOn = `crash-campaign: go on with it: ${resumeCommand(runDirectory)}\n`;
        },
        onProgress: progress.event,
        onNote: progress.note,
      });
      return options.shrink ? shrunkOutcome(outcome, asked.campaign, driver, workers, signal) : outcome;
    },
    () => goOn,
  );

  const { records } = outcome;
  const summary = interrupted ? cutShort(outcome.summary) : outcome.summary;
  process.stderr.write('\n');
  await publish({ of: 'run', summary, records }, destinations);
  return summary.exitCode;
}

async function shrunkOutcome(
  outcome: RunOutcome,
  campaign: LoadedCampaign,
  driver: DriverName,
  workers: number,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { findings, runDirectory } = outcome.summary;
  const shrunk = await shrinkFindings(findings, { campaign, driver, workers, signal });
  await noteShrunk(runDirectory, shrunk);
  return judgeAgain(runDirectory);
}
