/**
 * Asks, for each mutant and each base seed, how many trials each strategy needs to catch it, and how often the kernel as it is gives a false alarm.
 * Goes on where it stopped: what has been answered is in detection.ndjson. Writes the first part of docs/detection.md.
 *
 *     npm run detection -- [minutes, 30] [cells at once, 2] [alarms]
 *
 * `alarms`: only the trials of the kernel as it is.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { pool } from '../../../src/campaign-run/pool.ts';
import { mutants } from '../mutants.ts';
import { type Cell, cellSchema, isCaught, type Question, type Strategy } from './cell.ts';
import { detect } from './detect.ts';
import { detectionPage } from './page.ts';

const SEEDS = [1, 2, 3, 4, 5];
/** The kernel as it is: so many blocks of so many trials, each with a base seed of its own. */
const ALARMS = { blocks: 360, most: 28, firstSeed: 100 };

const MARK = '<!-- Until here this page is written by campaigns/ingest/mutants/detection.ts. -->';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const answersFile = path('detection.ndjson');
const page = path('../../../docs/detection.md');
const [minutes = 30, workers = 2] = process.argv.slice(2, 4).map(Number);
const signal = AbortSignal.timeout(minutes * 60_000);

/** A later answer, of more trials, takes the place of an earlier one. */
const answers = new Map<string, Cell>();
for (const line of existsSync(answersFile) ? readFileSync(answersFile, 'utf8').split('\n') : [])
  if (line !== '') take(cellSchema.parse(JSON.parse(line)));

const meant = mutants.filter((mutant) => 'breaks' in mutant);
const equivalent = mutants.filter((mutant) => 'equivalent' in mutant);
const ask = (of: { name: string }[], strategies: Strategy[], seeds: number[], most: number): Question[] =>
  seeds.flatMap((seed) => strategies.flatMap((strategy) => of.map(({ name }) => ({ mutant: name, strategy, seed, most }))));

const [first = 0] = SEEDS;
const aimed = meant.filter(({ scenario }) => scenario !== undefined);
const alarms = () =>
  Array.from(
    { length: ALARMS.blocks },
    (_, i): Question => ({ mutant: null, strategy: 'random', seed: ALARMS.firstSeed + i, most: ALARMS.most }),
  );

/** What matters most comes first, as the time may be used up: each mutant by what catches it soonest, from every seed. */
const stages: (() => Question[])[] =
  process.argv[4] === 'alarms'
    ? [alarms]
    : [
        () => ask(aimed, ['scenario'], SEEDS, 100),
        () =>
          ask(
            meant.filter((mutant) => !aimed.includes(mutant)),
            ['random'],
            SEEDS,
            70,
          ),
        // What is still at large from some seed.
        () => SEEDS.flatMap((seed) => ask(atLarge(seed), ['explore', 'explore-power-cut', 'pct'], [seed], 60)),
        () => SEEDS.flatMap((seed) => ask(atLarge(seed), ['scenario', 'random'], [seed], 400)),
        () => ask(equivalent, ['random'], [first], 14),
        () => ask(meant, ['random', 'explore', 'pct', 'explore-power-cut'], [first], 40),
        alarms,
        () => ask(equivalent, ['pct', 'explore-power-cut'], [first], 30),
        () => ask(meant, ['explore', 'pct', 'explore-power-cut', 'random'], SEEDS, 40),
      ];

const campaign = await loadCampaign(path('campaign.ts'));
await withBench({ campaign, driver: 'sim', variants: mutants.map(({ name }) => name) }, async (bench) => {
  const work = async (question: Question) => {
    const answer = isOpen(question) ? await detect(question, bench, campaign, signal) : null;
    if (!answer) return;
    take(answer);
    appendFileSync(answersFile, `${JSON.stringify(answer)}\n`);
    const { mutant, strategy, seed, trials, broke } = answer;
    process.stderr.write(`${mutant ?? 'the kernel as it is'}  ${strategy}  seed ${seed}  ${broke.join(', ') || 'nothing'} in ${trials}\n`);
  };
  for (const stage of stages) await pool(stage(), workers, work, signal);
});
// What was written by hand below the mark stays.
const byHand = existsSync(page) ? (readFileSync(page, 'utf8').split(MARK)[1] ?? '\n') : '\n';
writeFileSync(page, `${detectionPage(mutants, [...answers.values()], SEEDS, campaign.campaign.scenarios.length)}\n${MARK}${byHand}`);

function take(cell: Cell) {
  answers.set(nameOf(cell), cell);
}

/** Neither answered, nor caught by something else that it was to be caught by all the same. */
function isOpen(question: Question): boolean {
  const answer = answers.get(nameOf(question));
  return !answer || !(isCaught(answer) || answer.most >= question.most);
}

/** Those that no strategy has caught from that seed. */
function atLarge(seed: number) {
  return meant.filter(({ name }) => ![...answers.values()].some((cell) => cell.mutant === name && cell.seed === seed && isCaught(cell)));
}

function nameOf({ mutant, strategy, seed }: Pick<Cell, 'mutant' | 'strategy' | 'seed'>): string {
  return JSON.stringify([mutant, strategy, seed]);
}
