import { table } from '../../lock-services/markdown-table.ts';
import type { Mutant } from '../mutants.ts';
import { type Cell, isCaught, STRATEGIES, type Strategy } from './cell.ts';
import { PCT } from './detect.ts';

/** The page of what was detected, in Markdown. Pure. */
export function detectionPage(mutants: Mutant[], cells: Cell[], seeds: number[], scenarios: number): string {
  const of = (mutant: string | null, strategy?: Strategy) =>
    cells.filter(
      (cell) =>
        cell.mutant === mutant && (strategy === undefined || cell.strategy === strategy) && (mutant === null || seeds.includes(cell.seed)),
    );
  const [meant, equivalent] = [mutants.filter((mutant) => 'breaks' in mutant), mutants.filter((mutant) => 'equivalent' in mutant)];
  const real = of(null);
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  const row = ({ name, scenario }: (typeof meant)[number]) => {
    const invariants = new Set(of(name).flatMap(({ broke }) => broke.slice(0, 1)));
    return [
      `\`${name}\``,
      [...invariants].map((one) => `\`${one}\``).join(', '),
      ...STRATEGIES.map((strategy) =>
        `${firstCatch(of(name, strategy))}${strategy === 'scenario' && scenario !== undefined ? ` \`${scenario}\`` : ''}`.trim(),
      ),
      everySeed(of(name), seeds),
    ];
  };
  const seen = meant.map(({ name }) => everySeed(of(name), seeds));
  const gaps = meant.filter(({ name }) => everySeed(of(name), seeds) !== 'all');
  const wronglyEquivalent = equivalent.filter(({ name }) => of(name).some(isCaught));

  return `# Detection

What this project finds when something is broken, and what it says when nothing is. Generated; to go on where it stopped, or after a change (remove what it concerns from \`campaigns/ingest/mutants/detection.ndjson\` first):

\`\`\`text
npm run detection -- [minutes] [cells at once]
\`\`\`

\`\`\`sh
npx crash-campaign run campaigns/ingest/mutants --seeds 1-2 --scenario kill-while-holding --variant leaves-work-about
\`\`\`

## Mutants of the ingest kernel

Each of ${mutants.length} mutants (\`campaigns/ingest/mutants.ts\`) has one thing changed in the kernel, its lock or its storage. ${meant.length} of them must be caught, ${equivalent.length} are explained as equivalent.
A catch is a violation of a named invariant; the kernel as it is breaks none in the same trials. From each of ${seeds.length} base seeds:

- **random**: plans drawn by the ${scenarios} scenarios of \`campaigns/ingest/mutants\`, each in its turn;
- **scenario**: plans of the one scenario that is made for what is broken, of mutants that chance seldom hits;
- **pct**: schedules of \`${PCT.scenario}\` with ${PCT.depth} changes (\`explore --schedules pct\`);
- **explore**: a crash before, after and torn in operations of the golden run (\`explore\`), a sample where there are more than the budget;
- **explore-power-cut**: a power cut before each (\`explore --crash power-cut\`), which may take back what was not synced.

A figure is the number of trials to the first catch, the median of the seeds that were asked; in brackets the seeds that caught it of those asked. \`> N\`: not within so many trials. Empty: not asked.
${seen.filter((text) => text === 'all').length} of ${meant.length} were caught from every seed by some strategy, ${meant.filter(({ name }) => of(name).some(isCaught)).length} from at least one.

${table(['mutant', 'caught by', ...STRATEGIES, 'seeds'], meant.map(row))}

${gaps.length === 0 ? '' : `Not caught from every seed yet: ${gaps.map(({ name }) => `\`${name}\``).join(', ')}.\n\n`}## Equivalent mutants

Nothing can be seen of these; the trials are those in which nothing was.

${table(
  ['mutant', 'because', 'trials'],
  equivalent.map(({ name, equivalent: why }) => [`\`${name}\``, why, String(sum(of(name).map(({ trials }) => trials)))]),
)}
${wronglyEquivalent.length === 0 ? '' : `\nCaught all the same, so the reason is wrong: ${wronglyEquivalent.map(({ name }) => `\`${name}\``).join(', ')}.\n`}
## False alarms

The kernel as it is, random plans of all ${scenarios} scenarios with fresh seeds: ${real.filter(isCaught).length} false alarms in ${sum(real.map(({ trials }) => trials)).toLocaleString('en')} trials, ${sum(real.map((cell) => cell.void))} of them void.
`;
}

/** `3 (5/5)`: the median of the trials to the first catch, and how many seeds had one. */
function firstCatch(cells: Cell[]): string {
  if (cells.length === 0) return '';
  const trials = cells.map((cell) => (isCaught(cell) ? cell.trials : Infinity)).toSorted((a, b) => a - b);
  const median = trials[Math.floor((trials.length - 1) / 2)] as number;
  const shown = Number.isFinite(median)
    ? String(median)
    : `> ${Math.max(...cells.filter((cell) => !isCaught(cell)).map((cell) => cell.trials))}`;
  return `${shown} (${cells.filter(isCaught).length}/${cells.length})`;
}

function everySeed(cells: Cell[], seeds: number[]): string {
  const caught = seeds.filter((seed) => cells.some((cell) => cell.seed === seed && isCaught(cell)));
  return caught.length === seeds.length ? 'all' : `${caught.length} of ${seeds.length}`;
}
