/**
 * What the probe costs, against the same program without it: at the start of a process, and for each controlled operation.
 * The conductor is the tests' own, which does nothing but answer. Figures depend on the machine and its load: compare ratios.
 *
 *     npx node test/driver/probe/bench.ts
 */
import { join } from 'node:path';
import { conducted, plain } from './conduct.ts';

const fixture = (name: string) => join(import.meta.dirname, 'fixtures', `${name}.mjs`);
const OPERATIONS = 3 * 2000;

async function wall(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** One after the other in turn, so that both see the same load. */
async function medians(rounds: number, runs: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = runs.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) for (const [index, run] of runs.entries()) times[index]?.push(await wall(run));
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? Number.NaN);
}

const empty = { args: ['0'] };
const full = { args: [String(OPERATIONS / 3)] };
const [startPlain = 0, startProbe = 0] = await medians(15, [
  () => plain(fixture('bench'), empty),
  () => conducted(fixture('bench'), empty),
]);
const [fullPlain = 0, fullProbe = 0] = await medians(5, [() => plain(fixture('bench'), full), () => conducted(fixture('bench'), full)]);
const perOperation = ((fullProbe - startProbe - (fullPlain - startPlain)) / OPERATIONS) * 1000;
console.log(
  `start: ${startPlain.toFixed(1)} ms plain, ${startProbe.toFixed(1)} ms under the probe (${(startProbe / startPlain).toFixed(2)}×)`,
);
console.log(`operation: ${perOperation.toFixed(1)} µs more under the probe, its conductor's part included`);
