import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { subjectsOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { parseSeeds } from '../campaign/seeds.ts';
import { noFaults } from '../plan/no-faults.ts';
import { paintFor } from '../report/paint.ts';
import { exploreText } from '../report/terminal/explore.ts';
import type { CrashKind } from '../search/crash-points.ts';
import type { SearchKind } from '../search/explore-summary.ts';
import { explore } from '../search/explorer.ts';
import { choose } from './choose.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { positiveInteger, seed, workerCount } from './options.ts';
import { JSON_OPTION_ALONE } from './publish.ts';
import { watched } from './watched.ts';

interface ExploreOptions {
  scenario?: string;
  subject?: string;
  variant?: string;
  crash: CrashKind;
  schedules?: Exclude<SearchKind, 'crashes'>;
  depth?: number;
  budget?: number;
  seed?: number;
  driver?: string;
  workers: number;
  json?: boolean;
}

/** Every single crash, or every single deviation, is tried whatever it costs; what goes deeper is a sample of this size. */
const SAMPLE = 2_000;

const EXAMPLES = `
Examples:
  kill before, after and in the middle of every operation of a whole run, and recover each time:
    $ crash-campaign explore ingest
  and kill every recovery as well, as far as 5,000 trials go:
    $ crash-campaign explore ingest --depth 2 --budget 5000
  what was acknowledged before it was synced, or named before it was:
    $ crash-campaign explore ingest --crash power-cut
  let sessions that contend go first, or hold them back, at every place where it can matter:
    $ crash-campaign explore proper-lockfile --scenario contend --schedules bounded --budget 200
  3,000 schedules drawn from a seed, each with three such changes:
    $ crash-campaign explore ingest --scenario contend --schedules pct --depth 3 --budget 3000 --seed 7

Exit code 1 when an invariant broke that no known defect explains, 2 when there was nothing to try or a crash was not reached, else 0.`;

/** `explore`: search instead of chance. */
export function addExplore(program: Command, finish: (exitCode: number) => void) {
  program
    .command('explore')
    .argument('<campaign>', 'its name, or the path of its folder or file')
    .description('Search for a plan that breaks an invariant: a crash at every operation, or another order at every conflict.')
    .option('--scenario <name>', 'the cast and, for schedules, the faults to start from (default: one session, no faults)')
    .option('--subject <name>', 'default: the first of the campaign')
    .option('--variant <name>', 'a negative control instead of the kernel as it is')
    .addOption(
      new Option('--crash <how>', 'power-cut: the power fails at every operation, and what was not synced may be lost')
        .choices(['kill', 'power-cut'])
        .default('kill'),
    )
    .addOption(
      new Option(
        '--schedules <how>',
        'change the order of sessions instead: every place of 1, then 2, deviations; or a random sample',
      ).choices(['bounded', 'pct']),
    )
    .option('--depth <n>', 'so many crashes or deviations on top of each other (default: 1; with pct: 2)', positiveInteger)
    .option('--budget <n>', `so many trials at most (default: all of depth 1; beyond that, and with pct, ${SAMPLE})`, positiveInteger)
    .option('--seed <seed>', 'of the trials and of samples (default: the first of the campaign)', seed)
    .addOption(new Option('--driver <driver>', 'only sim can place a crash at an operation').choices(['sim', 'live']).hideHelp())
    .option('--workers <n>', 'trials that run at once', workerCount, availableParallelism())
    .addOption(JSON_OPTION_ALONE)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: ExploreOptions) => finish(await run(name, options)));
}

async function run(name: string, options: ExploreOptions): Promise<number> {
  const loaded = await loadCampaign(name);
  const { campaign } = loaded;
  if (options.driver === 'live' || campaign.timing.sim === undefined)
    throw new UsageError(
      'explore places its faults at operations and needs the sim driver, which sees them: give the campaign `timing: { sim: { … } }`, and leave --driver live out',
    );
  const search = options.schedules ?? 'crashes';
  if (search !== 'crashes' && options.crash !== 'kill')
    throw new UsageError('--schedules changes the order of sessions and crashes none: leave --crash out');
  const depth = options.depth ?? (search === 'pct' ? 2 : 1);
  if (search !== 'pct' && depth > 2)
    throw new UsageError(`--depth ${depth} is too deep: write 1 or 2, or draw a sample with --schedules pct`);
  const scenario = options.scenario ?? null;
  if (search !== 'crashes' && scenario === null)
    throw new UsageError(
      `schedules are those of several sessions: add --scenario, one of ${campaign.scenarios.map(({ name }) => name).join(', ')}`,
    );
  const [subject] = choose('subject', subjectsOf(campaign), listed(options.subject));
  choose('variant', campaign.variants ?? [], listed(options.variant));
  choose('scenario', [...campaign.scenarios, noFaults], listed(options.scenario));

  const { result: summary } = await watched((progress, signal) =>
    explore({
      campaign: loaded,
      target: name,
      search,
      crash: options.crash,
      subject: (subject as { name: string }).name,
      variant: options.variant ?? null,
      scenario,
      seed: options.seed ?? (parseSeeds(campaign.seeds)[0] as number),
      depth,
      budget: options.budget ?? (search === 'pct' || depth > 1 ? SAMPLE : Infinity),
      workers: options.workers,
      signal,
      onTrial: (trial) => progress.event({ type: 'trial', ...trial }),
    }),
  );

  const prose = options.json ? process.stderr : process.stdout;
  prose.write(`\n${exploreText(summary, paintFor(prose))}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  return summary.interrupted ? EXIT.interrupted : summary.exitCode;
}

function listed(name: string | undefined): string[] {
  return name === undefined ? [] : [name];
}
