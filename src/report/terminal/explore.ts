import type { ExploreFinding, ExploreSummary } from '../../search/explore-summary.ts';
import { count, duration } from '../duration.ts';
import type { Paint } from '../paint.ts';
import { WIDTH } from '../table.ts';
import { wrap } from '../wrap.ts';
import { findingText } from './findings.ts';

const WHAT = {
  crashes: { title: 'a crash at every operation', point: 'crash point', state: 'distinct state', done: 'recovered' },
  bounded: { title: 'every deviation of the schedule', point: 'deviation', state: 'distinct schedule', done: 'held' },
  pct: { title: 'a sample of schedules', point: 'schedule', state: 'distinct schedule', done: 'held' },
};

/** A search for a person: what there was, how much of it was tried, what broke, and the verdict last. */
export function exploreText(summary: ExploreSummary, paint: Paint): string {
  const { campaign, search, subject, variant, scenario, seed, operations, findings } = summary;
  const what = search === 'crashes' && summary.crash === 'power-cut' ? 'a power cut at every operation' : WHAT[search].title;
  const who = variant === null ? subject : `${subject}, variant ${variant}`;
  const sections = [
    `${paint('bold', campaign)}: ${what} of ${scenario}, by ${who}, seed ${seed}\n`,
    `${count(operations, 'operation')} in the undisturbed run`,
    ...summary.levels.map((level) => levelText(summary, level)),
    ...coverageText(summary),
    ...findings.map((finding) => `\n${exploreFindingText(finding, paint)}`),
    `\n${verdictText(summary, paint)}`,
  ];
  return sections.join('\n');
}

function levelText({ search, seed }: ExploreSummary, { depth, points, states, tried }: ExploreSummary['levels'][number]): string {
  const { point, state } = WHAT[search];
  const sampled = tried < states ? `${number(tried)} of them tried, seed ${seed}` : 'all tried';
  const there = `${count(points, point)}, ${count(states, state)}: ${sampled}`;
  return `depth ${depth}: ${search === 'pct' ? `${count(tried, point)} drawn, seed ${seed}` : there}`;
}

function coverageText({ pairs, bound }: ExploreSummary): string[] {
  const lines = [];
  if (pairs && pairs.of > 0)
    lines.push(`${pairs.tried} of ${pairs.of} pairs (operation site × window) tried, ${Math.round((100 * pairs.tried) / pairs.of)} %`);
  if (bound) {
    const found = bound.broken === 0 ? 'no failure' : count(bound.broken, 'failure');
    lines.push(`${found} in ${count(bound.trials, 'trial')}: fewer than ${rarity(bound.probability)} at 95 %`);
  }
  return lines;
}

/** A probability as `1 in 1,000`: two digits, rounded so that it is never said to be smaller than it is. */
function rarity(probability: number): string {
  const of = Math.floor(1 / probability);
  return of < 10 ? `${Math.ceil(probability * 100)} in 100` : `1 in ${number(of - (of % 10 ** (String(of).length - 2)))}`;
}

function exploreFindingText(finding: ExploreFinding, paint: Paint): string {
  return `${findingText(finding, paint)}\n  ${paint('dim', 'found')}   in trial ${number(finding.firstTrial)}, after ${duration(finding.firstMs)}`;
}

function verdictText(summary: ExploreSummary, paint: Paint): string {
  const { search, verdict, reasons, recovered, levels, states, void: voided, wallMs } = summary;
  const colour = { pass: 'green', fail: 'red', void: 'yellow' } as const;
  const { done, state } = WHAT[search];
  const tried = levels.reduce((sum, level) => sum + level.tried, 0);
  const isWhole = states > 0 && recovered === states;
  const tally = isWhole
    ? `${count(states, state)}, all ${done}`
    : `${number(tried)} of ${count(states, state)} tried: ${number(recovered)} ${done}, ${number(tried - recovered - voided)} broken, ${number(voided)} void`;
  const head = `${paint(colour[verdict], verdict.toUpperCase())}  ${tally}, in ${duration(wallMs)}`;
  return [head, ...reasons.map((reason) => `  ${wrap(reason, WIDTH - 2).join('\n  ')}`)].join('\n');
}

function number(n: number): string {
  return n.toLocaleString('en-US');
}
