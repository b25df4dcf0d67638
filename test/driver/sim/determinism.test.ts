import { type ChildProcess, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { pool } from '../../../src/campaign-run/pool.ts';
import { play, type Script } from './play.ts';

/** Two contenders, of which the first holder is killed, and programs with concurrent promises besides. */
const SCRIPT: Script = {
  seed: 42,
  cast: [...Array(2).fill({ command: ['sim-proper-lockfile.mjs'] }), { command: ['sim-promise-all.mjs'] }],
  async on(happening, { world, start }) {
    if (happening.type !== 'line' || happening.text !== '@crash enter') return;
    if (world.now() < 2000) return [await world.kill(happening.session), await start({ command: ['sim-promise-all.mjs'] })];
  },
};

test('twenty times the same, also with every core busy', async () => {
  const digests: string[] = [];
  for (let i = 0; i < 10; i++) digests.push((await play(SCRIPT)).digest);
  const busy: ChildProcess[] = cpus().map(() => spawn('nice', [process.execPath, '-e', 'for(;;);'], { stdio: 'ignore' }));
  try {
    for (let i = 0; i < 10; i++) digests.push((await play(SCRIPT)).digest);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  expect(new Set(digests).size).toBe(1);
}, 120_000);

test.each(['ingest', 'proper-lockfile'])(
  '%s: one digest for a seed, alone or eight at once',
  async (name) => {
    const campaign = await loadCampaign(name);
    const digests = new Map<number, Set<string>>();
    await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
      const run = async (seed: number) => {
        const about = { subject: campaign.campaign.subjects?.[0]?.name ?? name, variant: null, scenario: 'contend', seed };
        const { record } = await bench.run(about, bench.planOf(about));
        digests.set(seed, (digests.get(seed) ?? new Set()).add(record.digest));
      };
      const seeds = [1000, 1001];
      await pool(seeds, 1, run);
      await pool([...seeds, ...seeds, ...seeds, ...seeds], 8, run);
    });
    expect([...digests.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(new Set([...digests.values()].flatMap((set) => [...set])).size).toBe(2);
  },
  120_000,
);
