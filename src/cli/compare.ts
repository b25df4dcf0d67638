import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { DriverName } from '../campaign/campaign.ts';
import { subjectsOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import { runCampaign } from '../campaign-run/run.ts';
import { compareSides } from '../compare/compare.ts';
import type { Margin } from '../compare/margin.ts';
import type { Side } from '../compare/pair.ts';
import { type ComparedRun, readRun } from '../compare/read-run.ts';
import { noFaults } from '../plan/no-faults.ts';
import { choose, unknownName } from './choose.ts';
import { chooseDriver } from './choose-driver.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { MARGIN_OPTION, names, workerCount } from './options.ts';
import { destinationsOf, JSON_OPTION, type PublishOptions, publish, REPORTER_OPTION } from './publish.ts';
import { watched } from './watched.ts';
import { defaultWorkers, WORKERS_DEFAULT } from './workers.ts';

interface CompareOptions extends PublishOptions {
  subject?: string[];
  scenario?: string[];
  seeds?: string;
  driver?: DriverName;
  workers?: number;
  out?: string;
  margin: Margin;
}

const EXAMPLES = `
Examples:
  two versions of a kernel, run together on the same plans, trial by trial:
    $ crash-campaign compare my-locks --subject lib@1 --subject lib@2 --seeds 1000-1199
  two runs that are there already, made from the same plans:
    $ crash-campaign compare reports/runs/before reports/runs/after
  two subjects of one run:
    $ crash-campaign compare reports/runs/both --subject lib@1 --subject lib@2
  with more patience, or in milliseconds, or for a machine:
    $ crash-campaign compare before after --margin 10%
    $ crash-campaign compare before after --margin 500ms --json

The first is the baseline. What is tolerated (--margin) is a share of what the baseline takes, or a time.
The decision is made by 95 % intervals: regressed when all of one lies beyond it, ok when none of any does.
50 seeds are a smoke test; take 200 or more. Exit code 0 ok, 1 regressed, 2 inconclusive.`;

interface Sides {
  baseline: Side;
  contender: Side;
}

const EXIT_CODE = { ok: EXIT.pass, regressed: EXIT.fail, inconclusive: EXIT.void } as const;

/** `compare`: how recovery changed from one version to another. */
export function addCompare(program: Command, finish: (exitCode: number) => void) {
  program
    .command('compare')
    .argument('<baseline>', 'the directory of a run; or a campaign, both of whose subjects are run now')
    .argument('[contender]', 'the directory of another run')
    .description('Compare the recovery of two versions, and say whether it got worse.')
    .option('--subject <names>', 'the baseline, then the contender; of two runs that have several, which one', names)
    .option('--scenario <names>', 'only these scenarios', names)
    .option('--seeds <seeds>', 'only these seeds (default: those of the campaign, or of the runs)')
    .addOption(MARGIN_OPTION)
    .addOption(new Option('--driver <driver>', 'of a campaign: what runs the trials').choices(['sim', 'live']))
    .option('--workers <n>', `of a campaign: trials that run at once (${WORKERS_DEFAULT})`, workerCount)
    .option('--out <directory>', 'of a campaign: the run directory (default: a new one under reports/runs)')
    .addOption(REPORTER_OPTION)
    .addOption(JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (baseline: string, contender: string | undefined, options: CompareOptions) =>
      finish(await compare(baseline, contender, options)),
    );
}

async function compare(baseline: string, contender: string | undefined, options: CompareOptions): Promise<number> {
  const destinations = destinationsOf(options);
  const isCampaign = contender === undefined && !existsSync(join(baseline, 'run.json'));
  const { sides, interrupted } = isCampaign
    ? await runBoth(baseline, options)
    : { sides: await sidesOf(await readRun(baseline), contender, options), interrupted: false };
  const comparison = compareSides(sides, options.margin);
  const exitCode = interrupted ? EXIT.interrupted : EXIT_CODE[comparison.decision];

  if (isCampaign) process.stderr.write('\n');
  await publish({ of: 'compare', comparison: { ...comparison, exitCode }, sides }, destinations);
  return exitCode;
}

/** Runs two subjects of a campaign on the same plans, taking turns. Without controls: what they say of the checkers, they say in `run`. */
async function runBoth(name: string, options: CompareOptions): Promise<{ sides: Sides; interrupted: boolean }> {
  const loaded = await loadCampaign(name);
  const { campaign } = loaded;
  const [a, b] = twoOf(
    options.subject,
    subjectsOf(campaign).map(({ name }) => name),
  );
  const driver = chooseDriver(campaign, options.driver);
  const scenarios = choose('scenario', campaign.scenarios, options.scenario).map(({ name }) => name);
  const seeds = options.seeds === undefined ? parseSeeds(campaign.seeds) : parseSeeds(options.seeds, '--seeds');
  const { result: sides, interrupted } = await watched(async (progress, signal) => {
    const { summary } = await runCampaign({
      campaign: loaded,
      target: name,
      driver,
      seeds,
      scenarios,
      subjects: [a, b],
      variants: [],
      controls: false,
      workers: options.workers ?? defaultWorkers(driver),
      keep: 'failed',
      runDirectory: options.out,
      signal,
      onProgress: progress.event,
    });
    // A golden run that does not hold is all that there is.
    if (summary.scenarios.every(({ name }) => name === noFaults.name))
      process.stderr.write(`crash-campaign: ${summary.reasons.join('; ')}\n`);
    const run = await readRun(summary.runDirectory);
    const side = (subject: string): Side => ({ run, subject, outcomes: run.subjects.get(subject) ?? [] });
    return { baseline: side(a), contender: side(b) };
  });
  return { sides, interrupted };
}

/** The two sides: of two runs, or two subjects of one. */
async function sidesOf(run: ComparedRun, other: string | undefined, options: CompareOptions): Promise<Sides> {
  const side = (run: ComparedRun, subject: string): Side => ({ run, subject, outcomes: select(run, subject, options) });
  if (other === undefined) {
    const [a, b] = twoOf(options.subject, [...run.subjects.keys()]);
    return { baseline: side(run, a), contender: side(run, b) };
  }
  const contender = await readRun(other);
  const [a, b = a] = options.subject ?? [];
  return { baseline: side(run, oneOfRun(run, a)), contender: side(contender, oneOfRun(contender, b)) };
}

function select({ subjects }: ComparedRun, subject: string, { scenario, seeds }: CompareOptions) {
  const outcomes = subjects.get(subject) ?? [];
  const wanted = seeds === undefined ? null : new Set(parseSeeds(seeds, '--seeds'));
  const known = [...new Set(outcomes.map(({ scenario }) => scenario))];
  const scenarios = choose(
    'scenario',
    known.map((name) => ({ name })),
    outcomes.length === 0 ? [] : scenario,
  ).map(({ name }) => name);
  return outcomes.filter(({ scenario, seed }) => scenarios.includes(scenario) && (wanted?.has(seed) ?? true));
}

/** The baseline's subject and the contender's, in the order asked for. */
function twoOf(asked: string[] = [], known: string[]): [string, string] {
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(unknownName('subject', unknown, known));
  const [a, b, ...more] = asked.length === 0 ? known : asked;
  if (a === undefined || b === undefined || more.length > 0 || a === b)
    throw new UsageError(`a comparison takes two subjects: write --subject A --subject B. There are: ${known.join(', ')}.`);
  return [a, b];
}

function oneOfRun({ subjects, directory }: ComparedRun, asked: string | undefined): string {
  const known = [...subjects.keys()];
  if (asked !== undefined) {
    if (!known.includes(asked)) throw new UsageError(`in ${directory} ${unknownName('subject', asked, known)}`);
    return asked;
  }
  const [only, ...more] = known;
  if (only === undefined || more.length > 0)
    throw new UsageError(`${directory} has ${known.length} subjects: say which with --subject. There are: ${known.join(', ')}.`);
  return only;
}
