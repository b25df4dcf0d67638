/**
 * Asks, for each mutant and each base seed, how many trials each strategy needs to catch it, and how often the kernel as it is gives a false alarm.
 * Goes on where it stopped: what has been answered is in detection.ndjson. Writes the first part of docs/detection.md.
 *
 *     npx node campaigns/ingest/mutants/detection.ts [minutes, 30] [cells at once, 2]
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { pool } from '../../../src/campaign-run/pool.ts';
import { mutants } from '../mutants.ts';
import { type Cell, cellSchema, isCaught, STRATEGIES, type Strategy } from './cell.ts';
import { detect, type Question } from './detect.ts';
import { detectionPage } from './page.ts';

const SEEDS = [1, 2, 3, 4, 5];
/** Trials of the kernel as it is come in blocks of so many, each with a base seed of its own. */
const BLOCK = 110;

const MARK = '<!-- Until here this page is written by campaigns/ingest/mutants/detection.ts. -->';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const answersFile = path('detection.ndjson');
const page = path('../../../docs/detection.md');
const [minutes = 30, workers = 2] = process.argv.slice(2).map(Number);

/** A later answer, of more trials, takes the place of an earlier one. */
const answers = new Map<string, Cell>();
for (const line of existsSync(answersFile) ? readFileSync(answersFile, 'utf8').split('\n') : [])
  if (line !== '') take(cellSchema.parse(JSON.parse(line)));
const namesOf = (kind: 'breaks' | 'equivalent') => mutants.filter((mutant) => kind in mutant).map(({ name }) => name);
const ask = (names: string[], strategies: Strategy[], seeds: number[], most: number): Question[] =>
  seeds.flatMap((seed) => strategies.flatMap((strategy) => names.map((mutant) => ({ mutant, strategy, seed, most }))));
const catches = (mutant: string, strategy: Strategy) =>
  [...answers.values()].some((cell) => cell.mutant === mutant && cell.strategy === strategy && isCaught(cell));

const [first = 0, ...more] = SEEDS;
/** What matters most comes first, as the time may be used up: each mutant by what catches it soonest, from every seed. */
const stages: (() => Question[])[] = [
  () => ask(namesOf('breaks'), ['random'], [first], 33),
  () => ask(hard(), ['pct', 'explore-power-cut', 'explore'], [first], 60),
  () =>
    ask(
      namesOf('breaks').filter((name) => catches(name, 'random')),
      ['random'],
      more,
      66,
    ),
  () =>
    STRATEGIES.flatMap((strategy) =>
      ask(
        hard().filter((name) => catches(name, strategy)),
        [strategy],
        more,
        240,
      ),
    ),
  () =>
    ask(
      hard().filter((name) => !STRATEGIES.some((strategy) => catches(name, strategy))),
      ['random'],
      SEEDS,
      220,
    ),
  () => ask(namesOf('equivalent'), ['random', 'pct', 'explore-power-cut'], [first], 33),
  () => ask(namesOf('breaks'), ['pct', 'explore'], [first], 40),
  () => Array.from({ length: 100 }, (_, i) => ({ mutant: null, strategy: 'random', seed: 100 + i, most: BLOCK })),
  () => ask(namesOf('breaks'), [...STRATEGIES], more, 66),
];
const hard = () => namesOf('breaks').filter((name) => !catches(name, 'random'));

const campaign = await loadCampaign(path('campaign.ts'));
const variants = mutants.map(({ name }) => name);
await withBench({ campaign, driver: 'sim', variants }, async (bench) => {
  const work = async (question: Question) => {
    const answer = await detect(question, bench, campaign);
    take(answer);
    appendFileSync(answersFile, `${JSON.stringify(answer)}\n`);
    const { mutant, strategy, seed, trials, broke } = answer;
    process.stderr.write(`${mutant ?? 'the kernel as it is'}  ${strategy}  seed ${seed}  ${broke.join(', ') || 'nothing'} in ${trials}\n`);
  };
  const signal = AbortSignal.timeout(minutes * 60_000);
  for (const stage of stages) {
    await pool(stage().filter(isOpen), workers, work, signal);
  }
});
// What was written by hand below the mark stays.
const byHand = existsSync(page) ? (readFileSync(page, 'utf8').split(MARK)[1] ?? '\n') : '\n';
writeFileSync(page, `${detectionPage(mutants, [...answers.values()], SEEDS, campaign.campaign.scenarios.length)}\n${MARK}${byHand}`);

function take(cell: Cell) {
  answers.set(nameOf(cell), cell);
}

function isOpen(question: Question): boolean {
  const answer = answers.get(nameOf(question));
  return !answer || !(isCaught(answer) || answer.trials >= question.most);
}

function nameOf({ mutant, strategy, seed }: Pick<Cell, 'mutant' | 'strategy' | 'seed'>): string {
  return JSON.stringify([mutant, strategy, seed]);
}
