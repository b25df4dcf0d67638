/**
 * Whether virtual time is true: the takeovers of a run under sim against those of the same trials on the real clock. Prints a table, and every trial that does not agree; exit code 1 when there is one.
 *
 *     npx crash-campaign run fence-lock --subject unnamed,named --scenario killed-holder,kill-any-time --out virtual
 *     npx crash-campaign run fence-lock --subject unnamed,named --driver live --keep all --out real
 *     npm run bench -- fence-lock-clocks virtual real
 */
import { join } from 'node:path';
import { judgeAgain } from '../../../src/campaign-run/run-file.ts';
import { readHistory } from '../../../src/history/read.ts';
import type { TrialRecord } from '../../../src/history/record.ts';
import { noFaults } from '../../../src/plan/no-faults.ts';
import { quantile } from '../../../src/stats/quantile.ts';
import { agrees, apart, isComparable, type Pair, pairsOf } from './clocks.ts';

const [virtualRun = '', realRun = ''] = process.argv.slice(3);
const [virtual, real] = await Promise.all([judgeAgain(virtualRun), judgeAgain(realRun)]);
const isReal = ({ scenario }: { scenario: string }) => scenario !== noFaults.name;
const pairs = pairsOf(virtual.records.filter(isReal), real.records.filter(isReal));
const compared = pairs.filter(isComparable);
const starts = (await Promise.all(real.records.map(startOf))).filter((start_ms) => start_ms !== null).toSorted((a, b) => a - b);
const start_ms = starts.at(-1) ?? 0;

console.log(
  `a session starts in ${seconds(quantile(starts, 0.5) ?? Number.NaN)} at the median of ${starts.length}, at most ${seconds(start_ms)}\n`,
);
console.log('| scenario | lock | n | virtual | real | apart, but for the start |\n|---|---|---|---|---|---|');
for (const group of Map.groupBy(compared, ({ scenario, subject }) => `${scenario} ${subject}`).values()) {
  const [{ scenario, subject }] = group as [Pair];
  const most = Math.max(...group.map((pair) => apart(pair, start_ms)));
  const cells = [
    `\`${scenario}\``,
    `\`${subject}\``,
    String(group.length),
    range(group.map(({ virtual_ms }) => virtual_ms)),
    range(group.map(({ real_ms }) => real_ms)),
    `at most ${(100 * most).toFixed(1)} %`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
const voided = real.records.filter(({ verdict }) => verdict === 'void').length;
const onOne = pairs.filter(({ left }) => left.virtual !== left.real).length;
console.log(
  `\nof ${pairs.length} trials on both clocks the kill left the lock behind on both in ${compared.length}, on one in ${onOne}; ${voided} more were void on the real one`,
);
const wrong = compared.filter((pair) => !agrees(pair, start_ms));
for (const { scenario, subject, seed, virtual_ms, real_ms } of wrong)
  console.log(`not the same: ${scenario} of ${subject}, seed ${seed}: ${seconds(virtual_ms)} virtual, ${seconds(real_ms)} real`);
process.exitCode = wrong.length > 0 || compared.length === 0 ? 1 : 0;

/** From the beginning of a trial to the first time that the lock is held, where nobody had it before; null: its first session died before that. */
async function startOf({ artefacts }: TrialRecord): Promise<number | null> {
  if (artefacts === null) return null;
  const { entries } = await readHistory(join(realRun, artefacts, 'history.ndjson'));
  const first = entries.find((entry) => entry.type === 'killed' || (entry.type === 'lock' && entry.change === 'acquired'));
  return first?.type === 'lock' ? first.t_ms : null;
}

function range(times: number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return least === most ? seconds(least) : `${seconds(least).replace(' s', '')}–${seconds(most)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
