import type { Command } from 'commander';
import { subjectsOf } from '../campaign/expand.ts';
import { loadCampaign } from '../campaign/load.ts';
import { parseSeeds, SEED_MAX } from '../campaign/seeds.ts';
import type { RunOptions } from '../campaign-run/run.ts';
import { namedDirectory } from '../campaign-run/run-directory.ts';
import { readRunFile } from '../campaign-run/run-file.ts';
import { quote } from '../judge/findings.ts';
import { choose } from './choose.ts';
import { chooseDriver } from './choose-driver.ts';
import { UsageError } from './exit-code.ts';
import type { RunArguments } from './run.ts';

/** What of a run its command line or its directory says; how it is run, and who is told, is not part of it. */
export type Asked = Omit<RunOptions, 'workers' | 'signal' | 'onOpen' | 'onProgress' | 'onNote'>;

/** A run as its options say. Throws a UsageError or a CampaignError. */
export async function askedFor(name: string | undefined, options: RunArguments): Promise<Asked> {
  if (name === undefined)
    throw new UsageError('name a campaign, e.g. `crash-campaign run ingest`, or go on with a run: --resume <run-directory>');
  const loaded = { ...(await loadCampaign(name)), running: options.service ?? {} };
  const { campaign } = loaded;
  const chosen = options.seeds === undefined ? parseSeeds(campaign.seeds) : parseSeeds(options.seeds, '--seeds');
  const [first = 0] = chosen;
  const isCounted = options.trials !== undefined && !options.untilFail;
  const driver = chooseDriver(campaign, options.driver);
  if (options.probe && driver !== 'live') throw new UsageError('--probe is for --driver live: sim numbers every operation anyway');
  if (options.checkDeterminism && driver !== 'sim')
    throw new UsageError('--check-determinism is for --driver sim: under the real clock no two histories are the same');
  if (options.resumeOrStart && options.out === undefined)
    throw new UsageError('--resume-or-start needs --out: it goes on with the run in that directory, if there is one');
  if (options.shard && options.untilFail) throw new UsageError('--shard is for a run that has an end: leave out --until-fail');
  requireWorkersHere(options);
  if (options.verify !== undefined && options.queue === undefined)
    throw new UsageError('--verify is for --queue: on one machine it is --check-determinism');
  if (options.verify !== undefined && driver !== 'sim')
    throw new UsageError('--verify is for --driver sim: under the real clock no two histories are the same');
  if (options.durations !== undefined && !options.shard) throw new UsageError('--durations is for --shard: shards are balanced by it');
  const variants = choose('variant', campaign.variants ?? [], options.variant).map(({ name }) => name);
  return {
    campaign: loaded,
    target: name,
    driver,
    probe: options.probe === true,
    seeds: isCounted ? parseSeeds(`${first}-${first + (options.trials as number) - 1}`, '--trials') : chosen,
    scenarios: choose('scenario', campaign.scenarios, options.scenario).map(({ name }) => name),
    subjects: choose('subject', subjectsOf(campaign), options.subject).map(({ name }) => name),
    variants: options.controls ? variants : [],
    controls: options.controls,
    keep: options.keep,
    runDirectory: options.out,
    existing: options.resumeOrStart ? 'resume-or-start' : 'refuse',
    bail: options.bail === true,
    checkDeterminism: options.checkDeterminism === true,
    ...queued(name, options.queue),
    ...(options.verify !== undefined && { verify: options.verify }),
    ...(options.untilFail && { freshSeeds: options.trials ?? SEED_MAX }),
    ...(options.timeBudget !== undefined && { timeBudgetMs: options.timeBudget }),
    ...(options.shard && { shard: { ...options.shard, durations: options.durations ?? null } }),
  };
}

function requireWorkersHere({ queue, workers }: Pick<RunArguments, 'queue' | 'workers'>) {
  if (queue !== undefined && workers !== undefined)
    throw new UsageError('--workers is for trials that are run here: give it to each `crash-campaign worker` instead');
}

/** What may be said to a run that is gone on with: everything else has been said when it was started. */
const MAY_CHANGE = ['resume', 'workers', 'reporter', 'json', 'shrink', 'service', 'queue'];

/** A run as its directory has it. Throws a UsageError, a CampaignError, or an UnreadableFileError. */
export async function askedBefore(name: string | undefined, options: RunArguments & { resume: string }, command: Command): Promise<Asked> {
  const given = command.options.find(
    (option) => !MAY_CHANGE.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given)
    throw new UsageError(
      `${given.long} can't be given with --resume: the run goes on as it was started. Only --workers, --queue, --shrink and how it is told may change`,
    );
  requireWorkersHere(options);
  const directory = namedDirectory(options.resume);
  const { request, facts } = await readRunFile(directory);
  if (!request) throw new UsageError(`the run in ${directory} does not say what it was asked for: start a new one`);
  const { seeds, freshSeeds, timeBudgetMs, shard, verify, ...same } = request;
  if (typeof verify === 'number' && options.queue === undefined)
    throw new UsageError(`the run in ${directory} has trials that two workers are to run (--verify): give its --queue again`);
  return {
    ...same,
    campaign: { ...(await loadCampaign(name ?? facts.target)), running: options.service ?? {} },
    target: facts.target,
    seeds: parseSeeds(seeds),
    runDirectory: directory,
    existing: 'resume',
    ...(freshSeeds !== null && { freshSeeds }),
    ...(timeBudgetMs !== null && { timeBudgetMs }),
    ...(shard !== null && { shard }),
    ...(typeof verify === 'number' && { verify }),
    ...queued(facts.target, options.queue),
  };
}

/** The address is told without its password: the command is printed. */
function queued(target: string, url: string | undefined): Pick<RunOptions, 'queue'> {
  if (url === undefined) return {};
  const { protocol, host, pathname } = new URL(url);
  return { queue: { url, command: `npx crash-campaign worker ${quote(target)} --queue ${protocol}//${host}${pathname}` } };
}
