import { type Command, Option } from 'commander';
import { loadCampaign } from '../campaign/load.ts';
import { withBench } from '../campaign-run/bench.ts';
import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import { paintFor } from '../report/paint.ts';
import { trialText } from '../report/terminal/trial.ts';
import { timeline } from '../report/timeline/timeline.ts';
import { askedOf, type TrialOptions } from './asked-trial.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interrupt.ts';
import { positiveInteger, seed } from './options.ts';
import { isReproduced, summarise, timesText } from './replay-summary.ts';

interface ReplayOptions extends TrialOptions {
  times: number;
  timeline?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  the trial that a seed draws:
    $ crash-campaign replay ingest --scenario steal-lock --seed 1003
  what happened in it, line by line and in words:
    $ crash-campaign replay ingest --scenario steal-lock --seed 1003 --timeline
  the same faults on a negative control:
    $ crash-campaign replay ingest --scenario steal-lock --seed 1003 --variant door-check-only
  any plan:
    $ crash-campaign replay ingest --plan 's1@write(events.jsonl)#3:kill'
  the first broken trial of a run, or the one with this id:
    $ crash-campaign replay ingest --record reports/runs/…/trials.ndjson
    $ crash-campaign replay ingest --record run/trials.ndjson:ingest/steal-lock/ingest/-/1003
  how often a trial breaks under the real clock:
    $ crash-campaign replay ingest --scenario contend --seed 1003 --driver live --times 20

Exit code 1 when a repetition broke an invariant, 2 when none did and one was void, else 0.`;

/** `replay`: one trial again, from its seed, its plan or its record. */
export function addReplay(program: Command, finish: (exitCode: number) => void) {
  program
    .command('replay')
    .argument('<campaign>', 'its name, or the path of its folder or file')
    .description('Run one trial again and show what happened.')
    .option('--seed <seed>', 'with --scenario: the trial that this seed draws', seed)
    .option('--scenario <name>', 'the scenario to draw from')
    .option('--plan <plan>', 'this fault plan instead of a drawn one')
    .option('--record <file[:id]>', 'the trial of this record: its plan, subject, variant and driver')
    .option('--subject <name>', 'default: the first of the campaign')
    .option('--variant <name>', 'a negative control instead of the kernel as it is')
    .addOption(new Option('--driver <driver>', 'what runs the trial').choices(['sim', 'live']))
    .option('--times <n>', 'run it so often and count how often it breaks', positiveInteger, 1)
    .option('--timeline', 'print its history, line by line and in words')
    .option('--json', 'print one JSON object on stdout, and everything else on stderr')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: ReplayOptions) => finish(await replay(name, options)));
}

async function replay(name: string, options: ReplayOptions): Promise<number> {
  const loaded = await loadCampaign(name);
  const { before, driver, plan, ...about } = await askedOf(loaded.campaign, options);
  const trials = await interruptible((signal) =>
    withBench({ campaign: loaded, driver, variants: about.variant === null ? [] : [about.variant] }, async (bench) => {
      const trials = [await bench.run(about, plan ?? bench.planOf(about))];
      while (trials.length < options.times && !signal.aborted) trials.push(await bench.run(about, plan ?? bench.planOf(about)));
      return trials;
    }),
  );
  const summary = summarise(
    trials.map(({ record }) => record),
    before,
  );
  const [first] = trials as [JudgedTrial];
  const shown = trials.find((trial) => isReproduced(trial.record, before)) ?? first;

  const prose = options.json ? process.stderr : process.stdout;
  const paint = paintFor(prose);
  if (options.timeline) prose.write(`${timeline(shown.history, shown.record.violations, paint)}\n`);
  prose.write(`${trialText(shown.record, paint)}\n`);
  if (options.times > 1) prose.write(`\n${timesText(summary, paint)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  return trials.length < options.times ? EXIT.interrupted : summary.exitCode;
}
