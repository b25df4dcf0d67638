import { type Command, Option } from 'commander';
import type { DriverName } from '../campaign/campaign.ts';
import { defaultDriverOf, subjectsOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { parseSeeds, printSeeds } from '../campaign/seeds.ts';
import type { Margin } from '../compare/margin.ts';
import type { Gate } from '../gate/gate.ts';
import { type CompareWith, runGate } from '../gate/run-gate.ts';
import { chooseDriver } from './choose-driver.ts';
import { cutShort } from './cut-short.ts';
import { UsageError } from './exit-code.ts';
import { KEEP_OPTION, MARGIN_OPTION, workerCount } from './options.ts';
import { destinationsOf, JSON_OPTION, type PublishOptions, publish, REPORTER_OPTION } from './publish.ts';
import { watched } from './watched.ts';
import { defaultWorkers, WORKERS_DEFAULT } from './workers.ts';

interface GateCommandOptions extends PublishOptions {
  baseline?: string;
  against?: string;
  update?: boolean;
  fresh?: boolean;
  seeds?: string;
  margin: Margin;
  driver?: DriverName;
  workers?: number;
  keep: 'failed' | 'all' | 'none';
  out?: string;
}

const EXAMPLES = `
Examples:
  with the commit where this branch left main, both run now, trial by trial on the same plans:
    $ crash-campaign gate my-locks --against origin/main
  with a baseline that is kept in the repository, and how it is written:
    $ crash-campaign gate my-locks
    $ crash-campaign gate my-locks --update && git add reports/baselines
  every night with seeds that nobody has seen:
    $ crash-campaign gate my-locks --fresh
  in GitHub Actions:
    $ crash-campaign gate my-locks --against origin/main --reporter github --reporter junit=gate.xml

Exit code 0 pass, 1 an invariant broke or recovery got slower, 2 too little to tell, 3 a control was not caught.`;

/** `gate`: a campaign, its controls, and how its recovery compares; one verdict. */
export function addGate(program: Command, finish: (exitCode: number) => void) {
  program
    .command('gate')
    .argument('<campaign>', 'its name, or the path of its folder or file')
    .description('Run a campaign, compare its recovery with a baseline or another commit, and say one verdict.')
    .option('--baseline <file>', 'compare with this file (default: reports/baselines/<campaign>.json)')
    .option('--against <git-ref>', 'compare with the commit where this ref and HEAD parted, run in the same job')
    .option('--update', 'write the baseline instead of comparing with it, if the run passes')
    .option('--fresh', 'seeds that nobody has seen, as many as the campaign has; which ones is printed')
    .option('--seeds <seeds>', 'e.g. 1000-1199 (default: those of the campaign)')
    .addOption(MARGIN_OPTION)
    .addOption(new Option('--driver <driver>', 'what runs the trials').choices(['sim', 'live']))
    .option('--workers <n>', `trials that run at once (${WORKERS_DEFAULT})`, workerCount)
    .addOption(KEEP_OPTION)
    .option('--out <directory>', 'the run directory (default: a new one under reports/runs)')
    .addOption(REPORTER_OPTION)
    .addOption(JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: GateCommandOptions) => finish(await gate(name, options)));
}

async function gate(name: string, options: GateCommandOptions): Promise<number> {
  const destinations = destinationsOf(options);
  requireOneMeaning(options);
  const loaded = await loadCampaign(name);
  const { campaign } = loaded;
  const driver = chooseDriver(campaign, options.driver);
  const seeds = options.seeds === undefined ? parseSeeds(campaign.seeds) : parseSeeds(options.seeds, '--seeds');
  const drawn = options.fresh ? freshSeeds(seeds.length, Date.now()) : seeds;
  if (options.fresh) process.stderr.write(`fresh seeds: run the same again with --seeds ${printSeeds(drawn)}\n`);
  const { result: outcome, interrupted } = await watched((progress, signal) =>
    runGate({
      run: {
        campaign: loaded,
        target: name,
        driver,
        seeds: drawn,
        scenarios: campaign.scenarios.map(({ name }) => name),
        subjects: subjectsOf(campaign).map(({ name }) => name),
        variants: (campaign.variants ?? []).map(({ name }) => name),
        controls: true,
        workers: options.workers ?? defaultWorkers(driver),
        keep: options.keep,
        runDirectory: options.out,
        signal,
        onProgress: progress.event,
        onNote: progress.note,
      },
      with: compareWith(options, driver === defaultDriverOf(campaign) ? campaign.name : `${campaign.name}.${driver}`, drawn),
      margin: options.margin,
    }),
  );
  process.stderr.write('\n');
  const gate = interrupted ? gateCutShort(outcome.gate) : outcome.gate;
  await publish({ of: 'gate', ...outcome, gate }, destinations);
  return gate.exitCode;
}

function gateCutShort(gate: Gate): Gate {
  const run = cutShort(gate.run);
  return { ...gate, run, verdict: run.verdict, exitCode: run.exitCode };
}

function requireOneMeaning({ baseline, against, update, fresh, seeds }: GateCommandOptions): void {
  const both = (a: string, b: string, why: string) => new UsageError(`${a} and ${b} do not go together: ${why}`);
  if (against !== undefined && baseline !== undefined) throw both('--baseline', '--against', 'compare with one of them.');
  if (against !== undefined && update) throw both('--update', '--against', 'a baseline is written from a run of its own.');
  if (fresh && update) throw both('--update', '--fresh', 'a baseline is of seeds that stay the same.');
  if (fresh && baseline !== undefined)
    throw both('--fresh', '--baseline', 'no baseline knows these seeds. Compare with a commit: --against origin/main.');
  if (fresh && seeds !== undefined) throw both('--fresh', '--seeds', 'leave one out.');
}

function compareWith({ baseline, against, update, fresh }: GateCommandOptions, name: string, seeds: number[]): CompareWith {
  if (against !== undefined) return { is: 'commit', ref: against };
  if (fresh) return { is: 'nothing', why: `no baseline knows the seeds ${printSeeds(seeds)}; --against compares them with another commit` };
  return { is: update ? 'update' : 'baseline', file: baseline ?? `reports/baselines/${name}.json` };
}

/** So many seeds, beginning with the second in which it is asked. */
function freshSeeds(count: number, now_ms: number): number[] {
  const base = Math.floor(now_ms / 1000);
  return Array.from({ length: count }, (_, i) => base + i);
}
