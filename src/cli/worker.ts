import type { Command } from 'commander';
import type { ServiceKind } from '../campaign/campaign.ts';
import { defaultDriverOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { work } from '../campaign-run/fleet/work.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interrupt.ts';
import { redisUrl, SERVICE_OPTION, workerCount } from './options.ts';
import { defaultWorkers, WORKERS_DEFAULT } from './workers.ts';

interface WorkerArguments {
  queue: string;
  workers?: number;
  once?: boolean;
  service?: Partial<Record<ServiceKind, string>>;
}

const EXAMPLES = `
Examples:
  $ crash-campaign worker ingest --queue redis://10.0.0.5              until Ctrl-C, for any number of runs
  $ crash-campaign worker ingest --queue "$REDIS_URL" --workers 8 --once   for a job that is to end with the run

Start as many as you like, before the run or while it goes on. One that is killed loses nothing: its trials are given to others.
Ctrl-C lets the trials that have begun come to their end; once more stops at once.`;

/** `worker`: takes the trials of runs that were started with `--queue`. */
export function addWorker(program: Command, finish: (exitCode: number) => void) {
  program
    .command('worker')
    .argument('<campaign>', 'its name, or the path of its folder or file: the same that the run has')
    .description('Run the trials of runs that were started elsewhere with --queue.')
    .requiredOption('--queue <url>', 'the Redis that they share, e.g. redis://127.0.0.1:6379', redisUrl)
    .option('--workers <n>', `trials that run at once (${WORKERS_DEFAULT})`, workerCount)
    .option('--once', 'end with the first run that is over, instead of waiting for others')
    .addOption(SERVICE_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { queue, workers, once = false, service = {} }: WorkerArguments) => {
      const loaded = { ...(await loadCampaign(name)), running: service };
      const { campaign } = loaded;
      await interruptible(async (signal) => {
        await work({
          campaign: loaded,
          url: queue,
          workers: workers ?? defaultWorkers(defaultDriverOf(campaign), campaign),
          once,
          signal,
          onNote: (text) => process.stderr.write(`${text}\n`),
        });
        finish(signal.aborted ? EXIT.interrupted : EXIT.pass);
      });
    });
}
