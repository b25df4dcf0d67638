/**
 * The museum: looks for each public bug in the version that has it and in the one that has not, and writes docs/museum.md. Goes on where it stopped: what has been answered is in answers.ndjson.
 *
 *     npm run museum -- [cases…] [--seeds 1-5] [--fixed 500] [--json]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { parseSeeds } from '../../src/campaign/seeds.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { positiveInteger } from '../../src/cli/options.ts';
import { script } from '../../src/cli/script.ts';
import { type Answer, type HuntAnswer, keep, readAnswers } from './answers.ts';
import { type Exhibit, listCases, loadExhibit } from './cases.ts';
import { hunt } from './hunt.ts';
import { confirmLive } from './live.ts';
import { museumPage } from './page.ts';
import { type Row, rowOf } from './row.ts';
import { askTwin, type Block, blocksOf, spareBlocksOf } from './twin.ts';

interface Options {
  seeds: string;
  fixed: number;
  json?: boolean;
}

const PAGE = fileURLToPath(new URL('../../docs/museum.md', import.meta.url));
const MARK = '<!-- From here on this page is written by hand. -->';

let exitCode: number = EXIT.pass;
const program = new Command('museum')
  .argument('[cases...]', 'folders beside this file (default: all)')
  .option('--seeds <seeds>', 'base seeds from which the bug is looked for', '1-5')
  .option('--fixed <n>', 'trials of each fixed twin, void ones not counted', positiveInteger, 500)
  .option('--json', 'print one object for machines')
  .exitOverride()
  .action(async (names: string[], options: Options) => {
    exitCode = await visit(names, options);
  });

await script('museum', async () => {
  await program.parseAsync();
  return exitCode;
});

async function visit(names: string[], { seeds, fixed, json }: Options): Promise<number> {
  const exhibits = await Promise.all((names.length > 0 ? names : listCases()).map(loadExhibit));
  const asked = { seeds: parseSeeds(seeds), fixed };
  const isInterrupted = await interruptible(async (signal) => {
    for (const exhibit of exhibits) await answer(exhibit, asked, signal);
    return signal.aborted;
  });
  const everything = await Promise.all(listCases().map(loadExhibit));
  const all = readAnswers();
  const rows = everything.map(({ about }) => rowOf(about, all));
  const [, byHand = '\n'] = readPage().split(MARK);
  writeFileSync(PAGE, `${museumPage(rows)}\n${MARK}${byHand}`);
  const shown = rows.filter(({ name }) => exhibits.some(({ about }) => about.name === name));
  if (json) process.stdout.write(`${JSON.stringify({ schema: 'crash-campaign/museum@1', cases: shown }, null, 2)}\n`);
  if (isInterrupted) return EXIT.interrupted;
  return shown.every((row) => isComplete(row, asked)) ? EXIT.pass : EXIT.fail;
}

/** Asks what has not been answered of one case. */
async function answer(exhibit: Exhibit, { seeds, fixed }: { seeds: number[]; fixed: number }, signal: AbortSignal): Promise<void> {
  const { about } = exhibit;
  const known = readAnswers().filter((one) => one.case === about.name);
  const take = (answer: Answer | null) => {
    if (!answer) return;
    keep(answer);
    known.push(answer);
    process.stderr.write(`${told(answer)}\n`);
  };
  const hunts = () => known.filter((one): one is HuntAnswer => one.answer === 'hunt');
  for (const seed of seeds) if (!signal.aborted && !hunts().some((one) => one.seed === seed)) take(await hunt(exhibit, seed, signal));
  if (!signal.aborted && !known.some((one) => one.answer === 'live')) take(await confirmLive(exhibit, hunts(), signal));
  if (about.fixed === null) return;
  const isKnown = ({ block, trials, search }: Block) =>
    known.some((one) => one.answer === 'twin' && one.block === block && (one.trials >= trials || search.by !== 'random'));
  for (const block of blocksOf(about.searches, fixed)) if (!signal.aborted && !isKnown(block)) take(await askTwin(exhibit, block, signal));
  for (const block of spareBlocksOf(about.searches, fixed)) {
    if (signal.aborted || saidBy(rowOf(about, known)) >= fixed) return;
    if (!isKnown(block)) take(await askTwin(exhibit, block, signal));
  }
}

/** Trials of the fixed version that said something. */
function saidBy({ fixed }: Row): number {
  return fixed === null ? 0 : fixed.trials - fixed.void;
}

function told(answer: Answer): string {
  switch (answer.answer) {
    case 'hunt': {
      const { caught, shrunk, seed, trials, seconds } = answer;
      const what = caught ? `${caught.invariant}  ${shrunk?.plan ?? caught.plan}` : 'nothing';
      return `${answer.case}  seed ${seed}  ${what}  in ${trials} trials, ${seconds} s`;
    }
    case 'twin':
      return `${answer.case}  fixed  ${answer.broken[0] ? `${answer.broken[0].invariant}  ${answer.broken[0].plan}` : 'nothing'} in ${answer.trials} trials`;
    case 'live':
      return `${answer.case}  live  ${answer.broken.shown} of ${answer.broken.of}, fixed ${answer.fixed?.shown ?? '-'} of ${answer.fixed?.of ?? '-'}`;
  }
}

function isComplete(row: Row, asked: { seeds: number[]; fixed: number }): boolean {
  const { found, fixed } = row;
  return found.seeds >= asked.seeds.length && (fixed === null || (fixed.findings === 0 && saidBy(row) >= asked.fixed));
}

function readPage(): string {
  try {
    return readFileSync(PAGE, 'utf8');
  } catch {
    return MARK;
  }
}
