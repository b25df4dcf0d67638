import { type Command, Option } from 'commander';
import type { ServiceKind } from '../campaign/campaign.ts';
import { defaultDriverOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { withBench } from '../campaign-run/bench.ts';
import type { JudgedTrial } from '../campaign-run/run-trial.ts';
import type { TrialRecord } from '../history/record.ts';
import { replayCommand } from '../judge/findings.ts';
import { paintFor } from '../report/paint.ts';
import { trialText } from '../report/terminal/trial.ts';
import { timeline } from '../report/timeline/timeline.ts';
import { askedOf, type TrialOptions } from './asked-trial.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { interruptible } from './interrupt.ts';
import { positiveInteger, SERVICE_OPTION, seed } from './options.ts';
import { type Pin, pin, pinText, requirePinnable } from './pin.ts';
import { JSON_OPTION_ALONE } from './publish.ts';
import { isReproduced, otherwiseText, summarise, timesText } from './replay-summary.ts';

interface ReplayOptions extends TrialOptions {
  times: number;
  pin?: boolean;
  service?: Partial<Record<ServiceKind, string>>;
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
  the example of a run's first finding, or the trial with this id:
    $ crash-campaign replay ingest --record reports/runs/…/trials.ndjson
    $ crash-campaign replay ingest --record run/trials.ndjson:ingest/steal-lock/ingest/-/1003
  what a kill under the real clock broke, at the same operation under sim:
    $ crash-campaign run ingest --driver live --probe
    $ crash-campaign replay ingest --record reports/runs/…/trials.ndjson --pin
  how often a trial breaks under the real clock:
    $ crash-campaign replay ingest --scenario contend --seed 1003 --driver live --times 20

Exit code 1 when a repetition broke an invariant, 2 when none did and one was void or --pin
did not find it again, else 0.`;

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
    .addOption(SERVICE_OPTION)
    .option('--times <n>', 'run it so often and count how often it breaks', positiveInteger, 1)
    .option('--pin', 'with --record of a trial under live with --probe: its kills at the very operations where they landed, under sim')
    .option('--timeline', 'print its history, line by line and in words')
    .addOption(JSON_OPTION_ALONE)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: ReplayOptions) => finish(await replay(name, options)));
}

async function replay(name: string, options: ReplayOptions): Promise<number> {
  const loaded = { ...(await loadCampaign(name)), running: options.service ?? {} };
  if (options.pin && options.driver === 'live') throw new UsageError('--pin repeats a live trial under sim: leave --driver live out.');
  const ask = options.pin ? { ...options, driver: 'sim' as const } : options;
  const { before, finding: _, driver, plan: asked, ...about } = await askedOf(loaded.campaign, ask);
  const pinnable = options.pin ? requirePinnable(before) : null;
  const { trials, found } = await interruptible((signal) =>
    withBench({ campaign: loaded, driver, variants: about.variant === null ? [] : [about.variant] }, async (bench) => {
      const found: Pin | null = pinnable && (await pin(bench, about, pinnable));
      const plan = found?.plan ?? asked ?? bench.planOf(about);
      const trials = [await bench.run(about, plan)];
      while (trials.length < options.times && !signal.aborted) trials.push(await bench.run(about, plan));
      return { trials, found };
    }),
  );
  const summary = summarise(
    trials.map(({ record }) => record),
    before,
  );
  const replayAgain = (record: TrialRecord) =>
    replayCommand(record, { target: name, defaultDriver: defaultDriverOf(loaded.campaign) }, record.plan);
  const [first] = trials as [JudgedTrial];
  const shown = trials.find((trial) => isReproduced(trial.record, before)) ?? first;

  const prose = options.json ? process.stderr : process.stdout;
  const paint = paintFor(prose);
  if (options.timeline) prose.write(`${timeline(shown.history, shown.record.violations, paint)}\n`);
  prose.write(`${trialText(shown.record, paint)}\n`);
  const otherwise = before && !found && otherwiseText(shown.record, before, paint);
  if (otherwise) prose.write(`\n${otherwise}\n`);
  if (options.times > 1) prose.write(`\n${timesText(summary, paint)}\n`);
  const exitCode = found?.reproduced === false ? EXIT.void : summary.exitCode;
  const told = { ...summary, exitCode, ...(found && { pin: { ...found, plan: shown.record.plan, replay: replayAgain(shown.record) } }) };
  if (found) prose.write(`\n${pinText(found, replayAgain(shown.record), paint)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  return trials.length < options.times ? EXIT.interrupted : exitCode;
}
