import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CampaignError } from '../campaign/campaign-error.ts';
import { version } from '../campaign-run/versions.ts';
import { launcherRemedy } from '../driver/live/launchers.ts';
import { findOut, type Seen } from '../init/find-out.ts';
import type { NewFile } from '../init/new-file.ts';
import { commandOf, filesOf } from '../init/own-command.ts';
import { kebab, lookAtProject, type Project } from '../init/project.ts';
import { stubFiles } from '../init/stub.ts';
import { workflow } from '../init/workflow.ts';
import { wrapperFiles } from '../init/wrapper.ts';
import { count, duration } from '../report/duration.ts';
import { EXIT, UsageError } from './exit-code.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign init                                   a program to begin with, its campaign, a control, a workflow
  $ crash-campaign init -- node worker.js                 a campaign over your own program, which is run to see what it does
  $ crash-campaign init -- python3 worker.py --dir {state}
  $ crash-campaign init --name nightly -- ./nightly.sh

{state} is the directory that it keeps its durable state in; it is in CRASH_CAMPAIGN_STATE too. Nothing is overwritten.`;

/** `init`: a first campaign, that is green with the very next command. */
export function addInit(program: Command, finish: (exitCode: number) => void) {
  program
    .command('init')
    .argument('[command...]', 'behind --: how your own program is started')
    .description('Write a first campaign, with a control and a workflow for CI, into this folder.')
    .option('--name <name>', 'of the campaign (default: that of the project)')
    .addHelpText('after', EXAMPLES)
    .action(async (command: string[], { name }: { name?: string }) => {
      await init(process.cwd(), command, name);
      finish(EXIT.pass);
    });
}

async function init(directory: string, words: string[], asked: string | undefined): Promise<void> {
  if (asked !== undefined && kebab(asked) !== asked)
    throw new UsageError(`--name ${asked}: write a name in kebab case, e.g. ${kebab(asked) ?? 'my-kernel'}.`);
  const project = lookAtProject(directory);
  const name = asked ?? project.name;
  const folder = join('campaigns', name);
  if (existsSync(join(directory, folder)))
    throw new UsageError(`there is a ${folder} already, and nothing is overwritten: give another name, e.g. --name ${name}-2.`);

  const files = words.length === 0 ? stubFiles(name) : await ownFiles(words, name, project);
  const beside: NewFile[] = [
    { path: '.github/workflows/crash-campaign.yml', text: workflow(name, project) },
    {
      path: 'package.json',
      text: `${JSON.stringify({ private: true, type: 'module', devDependencies: { 'crash-campaign': `^${version}` } }, null, 2)}\n`,
    },
    { path: '.gitignore', text: 'node_modules\nreports/runs\n' },
  ];
  const [there, missing] = [true, false].map((is) => beside.filter(({ path }) => existsSync(join(directory, path)) === is)) as [
    NewFile[],
    NewFile[],
  ];
  for (const { path, text } of [...files, ...missing]) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    // Nobody else's file is replaced, even one that has been made since it was looked for.
    await writeFile(join(directory, path), text, { flag: 'wx' });
    process.stdout.write(`made        ${path}\n`);
  }
  for (const { path } of there) process.stdout.write(`left alone  ${path}\n`);
  process.stdout.write(`\nNext:\n${nextSteps(name, project, there).join('\n')}\n`);
}

async function ownFiles(words: string[], name: string, project: Project): Promise<NewFile[]> {
  const command = commandOf(words, project.directory);
  const remedy = launcherRemedy(command);
  if (remedy !== null)
    throw new UsageError(`${words.join(' ')} does not start the program itself, and would be killed in its place: ${remedy}.`);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const { files, seen } = await firstThatHolds(filesOf(command, project.directory), (files) => findOut(command, files, name, project, say));
  for (const line of whatWasSeen(seen)) say(line);
  return wrapperFiles(name, command, [...files, join('campaigns', name)], seen);
}

/** Longer than this, whoever waits for a campaign on the real clock may want to know why. */
const LONG_MS = 10_000;

function whatWasSeen({ events, live_ms, notSimulated, unknownAck }: Seen): string[] {
  return [
    `it left ${count(events, 'event')} behind, in ${duration(live_ms)}${notSimulated === null ? '' : `; it is not simulated: ${notSimulated}`}`,
    ...(live_ms > LONG_MS
      ? [
          "each trial on the real clock takes so long: where it waits for a lease of its own, have it told how long that is, and give a short one as kernel.env, e.g. { TTL_MS: '{ttl_ms}' }",
        ]
      : []),
    ...(unknownAck
      ? [
          `it acknowledges ${unknownAck.ack} (@crash ack), and everyLine() calls its events after what it reads, e.g. “${unknownAck.fact}”: no-lost-acks is left out until a reader of your own gives them the ids that it acknowledges`,
        ]
      : []),
  ];
}

/** What is tried last says what is wrong. */
async function firstThatHolds(candidates: string[][], find: (files: string[]) => Promise<Seen>): Promise<{ files: string[]; seen: Seen }> {
  const [files = [], ...others] = candidates;
  try {
    return { files, seen: await find(files) };
  } catch (error) {
    if (!(error instanceof CampaignError) || others.length === 0) throw error;
    return firstThatHolds(others, find);
  }
}

function nextSteps(name: string, { directory, hasManifest, hasCrashCampaign, exec }: Project, there: NewFile[]): string[] {
  const isThere = (path: string) => there.some((file) => file.path === path);
  return [
    `  npx crash-campaign run ${name}`,
    ...(hasManifest && !hasCrashCampaign ? ['  npm install --save-dev crash-campaign   so that CI has it too'] : []),
    ...(ignoresRuns(directory) ? [] : ['  see that .gitignore has reports/runs']),
    ...(isThere('.github/workflows/crash-campaign.yml') ? [`  add ${exec} crash-campaign run ${name} to your workflow`] : []),
  ];
}

/** Whether a line of .gitignore, as `init` writes it or as it is often written, covers the records of runs. */
function ignoresRuns(directory: string): boolean {
  return /^\/?reports(\/runs)?\/?$/m.test(readFileSync(join(directory, '.gitignore'), 'utf8'));
}
