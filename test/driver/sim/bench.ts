/**
 * What simulation costs: for each controlled operation against the same program without it, and for a wait of 30 s. Figures depend on the machine and its load.
 *
 *     npm run bench -- sim
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSimWorld } from '../../../src/driver/sim/sim-world.ts';

const PROGRAM = fileURLToPath(new URL('../probe/fixtures/bench.mjs', import.meta.url));
const CONTENDER = fileURLToPath(new URL('../../fixtures/sim-proper-lockfile.mjs', import.meta.url));
const OPERATIONS = 3 * 2000;
const ROUNDS = 7;

interface Cost {
  real_ms: number;
  virtual_ms: number;
  steps: number;
  /** From the end of an operation to the end of the next, in the middle: a process that has to wait for a core shows in few of them. */
  operation_us: number;
}

async function withDirectory(use: (state: string, directory: string) => Promise<Cost>): Promise<Cost> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'sim-bench-')));
  mkdirSync(join(directory, 'state'));
  try {
    return await use(join(directory, 'state'), directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const plain = (...args: string[]) =>
  withDirectory(async (state) => {
    const began = performance.now();
    await once(spawn(process.execPath, [PROGRAM, state, ...args], { stdio: 'ignore' }), 'exit');
    return { real_ms: performance.now() - began, virtual_ms: 0, steps: 0, operation_us: 0 };
  });

/** Programs in one world, side by side; `kill` says when the first holder of the lock dies. */
const simulated = (commands: ((state: string) => string[])[], kill = false) =>
  withDirectory(async (state, directory) => {
    const began = performance.now();
    const world = await openSimWorld({ seed: 1, state, home: join(directory, 'home') });
    let steps = 0;
    const ends: number[] = [];
    let alive = commands.length;
    for (const [index, command] of commands.entries()) {
      const session = `s${index + 1}`;
      const env = { CRASH_CAMPAIGN_STATE: state, CRASH_CAMPAIGN_SESSION: session };
      await world.start({ session, host: 'h1', command: ['node', ...command(state)], env, log: join(directory, session), reasons: [] });
    }
    let killed = !kill;
    while (alive > 0) {
      const happening = await world.next(1_000_000);
      steps++;
      if (happening.type === 'after') ends.push(performance.now());
      if (happening.type === 'ended') alive--;
      if (killed || happening.type !== 'line' || happening.text !== '@crash enter') continue;
      killed = true;
      await world.kill(happening.session);
    }
    const between = ends
      .slice(1)
      .map((end, i) => (end - (ends[i] as number)) * 1000)
      .sort((a, b) => a - b);
    const operation_us = between[Math.floor(between.length / 2)] ?? Number.NaN;
    const cost = { real_ms: performance.now() - began, virtual_ms: world.now(), steps, operation_us };
    await world.close();
    return cost;
  });

/** One after the other in turn, so that all see the same load. */
async function medians(runs: (() => Promise<Cost>)[]): Promise<Cost[]> {
  const costs = runs.map(() => [] as Cost[]);
  for (let round = 0; round < ROUNDS; round++) for (const [index, run] of runs.entries()) costs[index]?.push(await run());
  return costs.map((each) => each.sort((a, b) => a.real_ms - b.real_ms)[Math.floor(ROUNDS / 2)] as Cost);
}

const bench = (times: number) => (state: string) => [PROGRAM, state, String(times)];
const contender = () => [CONTENDER];
const [emptyPlain, fullPlain, empty, full, pair, wait] = (await medians([
  () => plain('0'),
  () => plain(String(OPERATIONS / 3)),
  () => simulated([bench(0)]),
  () => simulated([bench(OPERATIONS / 3)]),
  () => simulated([contender, contender]),
  () => simulated([contender, contender], true),
])) as [Cost, Cost, Cost, Cost, Cost, Cost];

const perOperation = ((full.real_ms - empty.real_ms - (fullPlain.real_ms - emptyPlain.real_ms)) / OPERATIONS) * 1000;
console.log(`start: ${emptyPlain.real_ms.toFixed(0)} ms plain, ${empty.real_ms.toFixed(0)} ms simulated`);
console.log(
  `operation: ${perOperation.toFixed(1)} µs more when simulated (${(full.real_ms / fullPlain.real_ms).toFixed(2)}× for ${OPERATIONS}); the median one takes ${full.operation_us.toFixed(1)} µs in all`,
);
console.log(
  `two contenders: ${pair.real_ms.toFixed(0)} ms for ${pair.virtual_ms.toFixed(0)} ms of virtual time and ${pair.steps} steps; with the holder killed and a wait of 30 s ${wait.real_ms.toFixed(0)} ms for ${wait.virtual_ms.toFixed(0)} ms and ${wait.steps} steps`,
);
