import type { Command } from 'commander';
import type { Expectation } from '../campaign/campaign.ts';
import { subjectsOf } from '../campaign/expand.ts';
import { type LoadedCampaign, listCampaigns, loadCampaign } from '../campaign/load.ts';
import { packagesOf } from '../campaign/package-spec.ts';
import { areCached } from '../campaign-run/packages.ts';
import { allInvariants } from '../invariants/all.ts';
import { WINDOWS, type Window } from '../plan/plan.ts';
import { type Paint, paintFor } from '../report/paint.ts';
import { WIDTH } from '../report/table.ts';
import { wrap } from '../report/wrap.ts';
import { EXIT } from './exit-code.ts';

const EXAMPLES = `
Examples:
  $ crash-campaign list                 the campaigns of this folder and of the project
  $ crash-campaign list ingest          what is in one: scenarios, invariants, controls
  $ crash-campaign list --json | jq '.campaigns[].scenarios[].name'`;

/** `list`: what there is to run, and the words for it. */
export function addList(program: Command, finish: (exitCode: number) => void) {
  program
    .command('list')
    .argument('[campaign]', 'only this one: its name, or the path of its folder or file')
    .description('List campaigns with their subjects, scenarios, invariants and controls, and the windows that faults can aim at.')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (campaign: string | undefined, { json = false }: { json?: boolean }) => {
      const asked = campaign === undefined ? listCampaigns() : [campaign];
      const contents = await Promise.all(asked.map(async (name) => contentsOf(await loadCampaign(name))));
      const text = json
        ? JSON.stringify({ schema: 'crash-campaign/list@1', campaigns: contents, windows: WINDOWS }, null, 2)
        : listText(contents, paintFor(process.stdout));
      process.stdout.write(`${text}\n`);
      finish(EXIT.pass);
    });
}

interface Contents {
  name: string;
  title: string;
  drivers: string[];
  seeds: string | number[];
  subjects: string[];
  /** What subjects are, or use, of npm, and whether it is in the cache. */
  packages: { subject: string; packages: string[]; cached: boolean }[];
  scenarios: { name: string; title: string; aims: Window[] }[];
  invariants: { name: string; title: string }[];
  variants: { name: string; must: string | null }[];
}

function contentsOf({ campaign, directory }: LoadedCampaign): Contents {
  return {
    name: campaign.name,
    title: campaign.title,
    drivers: Object.keys(campaign.timing),
    seeds: campaign.seeds,
    subjects: subjectsOf(campaign).map(({ name }) => name),
    packages: subjectsOf(campaign)
      .filter((subject) => packagesOf(subject).length > 0)
      .map((subject) => ({ subject: subject.name, packages: packagesOf(subject), cached: areCached(subject, directory) })),
    scenarios: campaign.scenarios.map(({ name, title, aims = [] }) => ({ name, title, aims })),
    invariants: (campaign.invariants ?? allInvariants).map(({ name, title }) => ({ name, title })),
    variants: (campaign.variants ?? []).map(({ name, expect }) => ({ name, must: expect === undefined ? null : expectationText(expect) })),
  };
}

function expectationText(expect: Expectation): string {
  if ('dies' in expect) return `must die with ${expect.dies}`;
  if ('breaks' in expect) return `must break ${expect.breaks.join(' and ')}`;
  return `must break ${expect.breaksAny.join(' or ')}`;
}

function listText(campaigns: Contents[], paint: Paint): string {
  const told = campaigns.map((campaign) =>
    [
      `${paint('bold', campaign.name)}  ${campaign.title}`,
      paint(
        'dim',
        `  drivers ${campaign.drivers.join(', ')} · seeds ${[campaign.seeds].flat().join(',')} · subjects ${campaign.subjects.join(', ')}`,
      ),
      entries(
        'packages',
        campaign.packages.map(({ subject, packages, cached }) => [
          subject,
          `${packages.join(', ')}${cached ? '' : ' (not in the cache yet)'}`,
        ]),
        paint,
      ),
      entries(
        'scenarios',
        campaign.scenarios.map(({ name, title }) => [name, title]),
        paint,
      ),
      entries(
        'invariants',
        campaign.invariants.map(({ name, title }) => [name, title]),
        paint,
      ),
      entries(
        'variants',
        campaign.variants.map(({ name, must }) => [name, must ?? 'no expectation']),
        paint,
      ),
    ]
      .filter((text) => text !== '')
      .join('\n'),
  );
  return [...told, `${paint('bold', 'windows')}  ${WINDOWS.join(', ')}`].join('\n\n');
}

/** A name and a sentence on each line, the sentence wrapped under itself. */
function entries(title: string, rows: [name: string, text: string][], paint: Paint): string {
  if (rows.length === 0) return '';
  const column = Math.max(...rows.map(([name]) => name.length)) + 6;
  const lines = rows.map(([name, text]) => `    ${name.padEnd(column - 4)}${wrap(text, WIDTH - column).join(`\n${' '.repeat(column)}`)}`);
  return [`  ${paint('dim', title)}`, ...lines].join('\n');
}
