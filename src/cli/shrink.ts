import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { defaultDriverOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { withBench } from '../campaign-run/bench.ts';
import { readRunFile } from '../campaign-run/run-file.ts';
import { replayCommand } from '../judge/findings.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import { paintFor } from '../report/paint.ts';
import { shrunkText } from '../report/terminal/shrunk.ts';
import { story } from '../report/timeline/story.ts';
import { timeline } from '../report/timeline/timeline.ts';
import { shrink } from '../search/shrink.ts';
import { askedOf, type TrialOptions } from './asked-trial.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { interruptible } from './interrupt.ts';
import { positiveInteger, seed, workerCount } from './options.ts';
import { JSON_OPTION_ALONE } from './publish.ts';
import { LIVE_REPETITIONS } from './shrink-findings.ts';
import { defaultWorkers, WORKERS_DEFAULT } from './workers.ts';

interface ShrinkOptions extends TrialOptions {
  budget: number;
  times?: number;
  workers?: number;
  timeline?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  the example of a run's first finding, of its first about an invariant, or the trial with this id:
    $ crash-campaign shrink reports/runs/…
    $ crash-campaign shrink reports/runs/… --invariant finishes
    $ crash-campaign shrink run/trials.ndjson:ingest/steal-lock/ingest/-/1003
  the trial that a seed draws, or any plan in the world of that seed:
    $ crash-campaign shrink ingest --scenario steal-lock --seed 1003 --variant door-check-only
    $ crash-campaign shrink ingest --scenario contend --seed 1003 --plan 'cast=3  s1@op#40:kill'

What is left breaks the same invariant in the same way, and nothing simpler that was tried does.
Exit code 1 when it breaks, as the trial does, 2 when it did not break again.`;

/** `shrink`: the simplest plan that still breaks what a trial broke. */
export function addShrink(program: Command, finish: (exitCode: number) => void) {
  program
    .command('shrink')
    .argument('<record|campaign>', "a run's directory or trials.ndjson[:id], or a campaign with the options below")
    .description('Make the fault plan of a broken trial as small as it can be, and tell what happens in it.')
    .option('--seed <seed>', 'with --scenario: the trial that this seed draws', seed)
    .option('--scenario <name>', 'the scenario to draw from')
    .option('--plan <plan>', 'this fault plan instead of a drawn one')
    .option('--record <file[:id]>', 'the trial of this record, when the campaign is given')
    .option('--subject <name>', 'default: the first of the campaign')
    .option('--variant <name>', 'a variant instead of the kernel as it is')
    .addOption(new Option('--driver <driver>', 'what runs the trials').choices(['sim', 'live']))
    .option('--invariant <name>', 'keep this one broken (default: of a run, the first finding; of a trial, the gravest that it broke)')
    .option('--budget <n>', 'run at most so many smaller plans', positiveInteger, 300)
    .option('--times <r>', `run each up to so many times (default: 1 under sim, ${LIVE_REPETITIONS} under live)`, positiveInteger)
    .option('--workers <n>', `trials that run at once (${WORKERS_DEFAULT})`, workerCount)
    .option('--timeline', 'print the history of the smallest, line by line')
    .addOption(JSON_OPTION_ALONE)
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, options: ShrinkOptions) => finish(await shrinkAsked(what, options)));
}

async function shrinkAsked(what: string, options: ShrinkOptions): Promise<number> {
  const { target, record } = await targetOf(what, options.record);
  const loaded = await loadCampaign(target);
  const { before: _, finding, driver, plan, ...about } = await askedOf(loaded.campaign, { ...options, record });
  const invariant = finding?.invariant ?? options.invariant;
  const prose = options.json ? process.stderr : process.stdout;
  const paint = paintFor(prose);

  const { shrunk, interrupted } = await interruptible((signal) =>
    withBench({ campaign: loaded, driver, variants: about.variant === null ? [] : [about.variant] }, async (bench) => {
      const shrunk = await shrink(bench, about, plan ?? bench.planOf(about), {
        isMeant: (violation) =>
          finding ? fingerprintOf(violation) === finding.fingerprint : invariant === undefined || violation.invariant === invariant,
        budget: options.budget,
        repetitions: options.times ?? (driver === 'live' ? LIVE_REPETITIONS : 1),
        workers: options.workers ?? defaultWorkers(driver),
        signal,
      });
      return { shrunk, interrupted: signal.aborted };
    }),
  );
  if (!shrunk) {
    prose.write(
      `it did not break${invariant === undefined ? '' : ` ${invariant}`} again: replay it, with --times under live, to see what it does\n`,
    );
    return EXIT.void;
  }

  const { record: smallest, history } = shrunk.trial;
  const violations = smallest.violations.filter((violation) => violation.invariant === shrunk.invariant);
  const summary = {
    schema: 'crash-campaign/shrink@1',
    campaign: loaded.campaign.name,
    driver,
    ...about,
    trial: smallest.id,
    invariant: shrunk.invariant,
    fingerprint: shrunk.fingerprint,
    others: shrunk.others,
    before: shrunk.before,
    after: shrunk.after,
    tried: shrunk.tried,
    minimal: shrunk.minimal,
    story: story(history, violations),
    replay: replayCommand(smallest, { target, defaultDriver: defaultDriverOf(loaded.campaign) }, shrunk.after.plan),
    digest: smallest.digest,
    exitCode: interrupted ? EXIT.interrupted : EXIT.fail,
  };
  if (options.timeline) prose.write(`${timeline(history, violations, paint)}\n`);
  prose.write(`${shrunkText(summary, paint)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  return summary.exitCode;
}

/** The campaign, and the record to begin with: a record's own run says which campaign it is of. */
async function targetOf(what: string, record: string | undefined): Promise<{ target: string; record: string | undefined }> {
  const file = what.replace(/(\.ndjson):.*$/, '$1');
  const directory = existsSync(join(what, 'run.json')) ? what : file.endsWith('.ndjson') ? dirname(file) : null;
  if (directory === null) return { target: what, record };
  if (record !== undefined)
    throw new UsageError(`${what} already says which trial: leave --record out, or give the campaign in its place.`);
  const { facts } = await readRunFile(directory);
  return { target: facts.target, record: directory === what ? join(what, 'trials.ndjson') : what };
}
