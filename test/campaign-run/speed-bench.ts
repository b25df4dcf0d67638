/**
 * What a trial costs beside its kernel, how fast campaigns go, and how soon they find what a loop that kills by the clock finds late or never. Tables in Markdown.
 *
 *     npm run bench -- speed [bare|campaigns|loop] [count]
 *
 * `bare`: trials and bare runs take turns, and medians are compared. `loop`: of each control at most `count` rounds of the loop.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readIngest } from '../../campaigns/ingest/read.ts';
import type { Variant } from '../../src/campaign/campaign.ts';
import { loadCampaign } from '../../src/campaign/load.ts';
import { type PreparedKernel, prepareKernel } from '../../src/campaign/prepare.ts';
import { withBench } from '../../src/campaign-run/bench.ts';
import { statOf } from '../../src/driver/proc.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { judgeControls } from '../../src/judge/controls.ts';
import { stream } from '../../src/random/stream.ts';
import { quantile } from '../../src/stats/quantile.ts';
import { measured } from '../measured.ts';

const SPEED = fileURLToPath(new URL('../fixtures/speed/campaign.ts', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'crash-campaign-speed-'));
let directories = 0;

function fresh(): string {
  const directory = join(place, String(++directories));
  mkdirSync(directory);
  return directory;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Clock ticks of /proc are of this length wherever Linux runs today. */
const TICK_MS = 10;

/** What work takes, and what of processors this process and those that it has reaped use for it. */
async function costOf(work: () => Promise<unknown>): Promise<{ real_ms: number; cpu_ms: number }> {
  const used_ms = () => {
    const { user, system } = process.cpuUsage();
    const fields = statOf('self') as string[];
    return (user + system) / 1000 + (Number(fields[16]) + Number(fields[17])) * TICK_MS;
  };
  const before_ms = used_ms();
  const real_ms = await timed(work);
  return { real_ms, cpu_ms: used_ms() - before_ms };
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const median = (values: number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  ) as number;

/** Start, kill at an event, start, end: what a trial does, and nothing else. */
async function bareRun(kernel: string, ttl_ms: number, event: number, [first_ms, second_ms]: [number, number]) {
  const state = fresh();
  const start = (pace_ms: number) =>
    spawn(process.execPath, [kernel, state, String(ttl_ms), String(pace_ms)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const killed = start(first_ms);
  for await (const line of createInterface(killed.stdout as NodeJS.ReadableStream))
    if (line === `@crash ack ${event}`) killed.kill('SIGKILL');
  const next = start(second_ms);
  next.stdout?.resume();
  await once(next, 'exit');
}

/** Live: both wait for the same lease. Sim: the bare one has none to wait for, and does not rest. */
async function bare(rounds: number) {
  const campaign = await loadCampaign(SPEED);
  const kernel = join(SPEED, '../kernel.mjs');
  console.log(
    '| a trial beside its bare kernel | trial | bare | ratio | processor: trial | bare | ratio | rounds |\n|---|---|---|---|---|---|---|---|',
  );
  for (const driver of ['live', 'sim'] as const) {
    await withBench({ campaign, driver, variants: [] }, async (bench) => {
      const about = { subject: 'speed', variant: null, scenario: 'kill-at-second-event', seed: 1 };
      const plan = bench.planOf(about);
      const trials: Awaited<ReturnType<typeof costOf>>[] = [];
      const bares: typeof trials = [];
      for (let round = 0; round < rounds; round++) {
        trials.push(await costOf(() => bench.run(about, plan)));
        bares.push(await costOf(() => (driver === 'live' ? bareRun(kernel, 200, 1, [20, 20]) : bareRun(kernel, 0, 0, [60_000, 0]))));
      }
      const compared = (of: (costs: typeof trials) => number) => {
        const [trial, alone] = [of(trials), of(bares)];
        return `${trial.toFixed(0)} ms | ${alone.toFixed(0)} ms | ${(trial / alone).toFixed(2)}`;
      };
      const real = compared((costs) => median(costs.map(({ real_ms }) => real_ms)));
      const cpu = compared((costs) => mean(costs.map(({ cpu_ms }) => cpu_ms)));
      console.log(`| ${driver} | ${real} | ${cpu} | ${rounds} |`);
    });
  }
}

/** Whole runs of the ingest campaign, from a cold start to the verdict. */
async function campaigns(seeds: number) {
  console.log('| ingest, controls included | trials | real | virtual ÷ real | trials an hour |\n|---|---|---|---|---|');
  for (const driver of ['sim', 'live']) {
    const args = ['run', 'ingest', '--driver', driver, '--seeds', `1000-${999 + seeds}`, '--keep', 'none', '--json'];
    const { stdout, wall_ms } = await measured([...args, '--out', fresh()]);
    const { trials, controls, nullCampaign, virtualMs } = JSON.parse(stdout);
    const count =
      trials.total + nullCampaign.trials + controls.reduce((sum: number, control: { trials: number }) => sum + control.trials, 0);
    const ratio = driver === 'sim' ? (virtualMs / wall_ms).toFixed(0) : '–';
    console.log(
      `| ${driver} | ${count} | ${(wall_ms / 1000).toFixed(0)} s | ${ratio} | ${Math.round((count / wall_ms) * 3_600_000).toLocaleString('en')} |`,
    );
  }
}

const LEASE_MS = 400;
/** A session that has not ended by then hangs. */
const HANGS_MS = 12_000;

/** The loop that people write: start, kill at some moment, start again, and look whether all is there once. Returns in which round it was not. */
async function plainLoop(
  kernel: PreparedKernel,
  setUp: (state: string) => Promise<void>,
  idsOf: (state: string) => string[],
  expected: number,
  run_ms: number,
  rounds: number,
) {
  const { next } = stream('speed', 'loop');
  for (let round = 1; round <= rounds; round++) {
    const state = fresh();
    await setUp(state);
    const killed = startKernel(kernel, state);
    await Promise.race([once(killed, 'exit'), sleep(run_ms * next())]);
    killed.kill('SIGKILL');
    const ended = startKernel(kernel, state);
    const code = await Promise.race([once(ended, 'exit').then(([status]) => status), sleep(HANGS_MS, null, { ref: false })]);
    ended.kill('SIGKILL');
    const ids = idsOf(state);
    if (code !== 0 || ids.length !== expected || new Set(ids).size !== expected) return round;
  }
  return null;
}

function startKernel(kernel: PreparedKernel, state: string): ChildProcess {
  const { command, env } = kernel.expand({ state, ttl_ms: LEASE_MS });
  const [program = '', ...words] = command;
  return spawn(program, words, {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...env, CRASH_CAMPAIGN_STATE: state, CRASH_CAMPAIGN_SESSION: 's' },
  });
}

async function loop(rounds: number) {
  const loaded = await loadCampaign('ingest');
  const { campaign, file } = loaded;
  const controls = (campaign.variants ?? []).filter(({ expect }) => expect);
  const setUp = async (state: string) => campaign.setup?.({ state, now_ms: Date.now(), ttl_ms: LEASE_MS, seed: 1 });
  const idsOf = (state: string) => readIngest({ state }).events.map(({ id }) => id);
  const prepared = (variant: Variant | null) => prepareKernel({ campaign, file, subject: { env: {} }, variant, target: fresh() });

  const whole = fresh();
  const kernel = await prepared(null);
  await setUp(whole);
  const run_ms = await timed(() => once(startKernel(kernel, whole), 'exit'));
  const expected = idsOf(whole).length;
  console.log('| control of ingest | loop: rounds | s | campaign: trials | s |\n|---|---|---|---|---|');
  await withBench({ campaign: loaded, driver: 'sim', variants: controls.map(({ name }) => name) }, async (bench) => {
    for (const variant of [null, ...controls]) {
      const target = variant === null ? kernel : await prepared(variant);
      let found: number | null = null;
      const loop_ms = await timed(async () => {
        found = await plainLoop(target, setUp, idsOf, expected, run_ms, rounds);
      });
      const records: TrialRecord[] = [];
      const campaign_ms = await timed(async () => {
        if (variant === null) return;
        const isCaught = () => judgeControls([variant], records)[0]?.met === true;
        for (let seed = 1000; seed < 1100 && !isCaught(); seed++)
          for (const scenario of variant.scenarios ?? []) {
            const about = { subject: 'ingest', variant: variant.name, scenario, seed };
            records.push((await bench.run(about, bench.planOf(about))).record);
          }
      });
      const [ours, theirs] = [variant ? `${records.length} | ${(campaign_ms / 1000).toFixed(1)}` : '– | –', found ?? `none in ${rounds}`];
      console.log(`| ${variant?.name ?? 'the kernel as it is'} | ${theirs} | ${(loop_ms / 1000).toFixed(1)} | ${ours} |`);
    }
  });
}

const PARTS: Record<string, [run: (count: number) => Promise<void>, count: number]> = {
  bare: [bare, 30],
  campaigns: [campaigns, 10],
  loop: [loop, 30],
};
const [, , , part, count] = process.argv;
try {
  for (const [name, [run, usual]] of Object.entries(PARTS)) {
    if (part !== undefined && part !== name) continue;
    await run(Number(count ?? usual));
    console.log('');
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
