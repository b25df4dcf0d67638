import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { withBench } from '../../../src/campaign-run/bench.ts';
import { pool } from '../../../src/campaign-run/pool.ts';
import { play, type Script } from './play.ts';

/** `DETERMINISM=100x20 npx vitest run test/driver/sim/determinism.test.ts`: so many repetitions of so many seeds. */
const [REPETITIONS = 0, SEEDS = 0] = (process.env.DETERMINISM ?? '6x2').split('x').map(Number);
const TIMEOUT_MS = 60_000 + REPETITIONS * SEEDS * 5_000;
const WORKERS = 8;

/** The first half of the repetitions alone on the machine, one at a time; the second half eight at once, with every core busy besides. */
async function digestsOf(run: (seed: number) => Promise<string>): Promise<Map<number, Set<string>>> {
  const digests = new Map<number, Set<string>>();
  const repeat = (repetitions: number, workers: number) => {
    const seeds = Array.from({ length: repetitions * SEEDS }, (_, index) => 1000 + (index % SEEDS));
    return pool(seeds, workers, async (seed) => {
      digests.set(seed, (digests.get(seed) ?? new Set()).add(await run(seed)));
    });
  };
  const half = Math.floor(REPETITIONS / 2);
  await repeat(half, 1);
  const busy: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    // They end with whoever runs this test, should that be killed.
    spawn('setpriv', ['--pdeathsig', 'KILL', 'nice', '-n', '19', process.execPath, '-e', 'for(;;);'], { stdio: 'ignore' }),
  );
  try {
    await repeat(REPETITIONS - half, WORKERS);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  return digests;
}

describe('one digest for a seed, alone or eight at once on a busy machine, and another for another', () => {
  const expectOneEach = (digests: Map<number, Set<string>>) => {
    expect([...digests.values()].map(({ size }) => size)).toEqual(Array(SEEDS).fill(1));
    expect(new Set([...digests.values()].flatMap((set) => [...set])).size).toBe(SEEDS);
  };

  test.each([
    ['ingest', 'contend'],
    ['proper-lockfile', 'contend'],
  ])('%s, %s', { timeout: TIMEOUT_MS }, async (name, scenario) => {
    const campaign = await loadCampaign(name);
    await withBench({ campaign, driver: 'sim', variants: [] }, async (bench) => {
      const digests = await digestsOf(async (seed) => {
        const about = { subject: campaign.campaign.subjects?.[0]?.name ?? name, variant: null, scenario, seed };
        return (await bench.run(about, bench.planOf(about))).record.digest;
      });
      expectOneEach(digests);
    });
  });

  test('contenders of which the first holder is killed, among programs with concurrent promises', { timeout: TIMEOUT_MS }, async () => {
    const script = (seed: number): Script => ({
      seed,
      cast: [...Array(2).fill({ command: ['sim-proper-lockfile.mjs'] }), { command: ['sim-promise-all.mjs'] }],
      async on(happening, { world, start }) {
        if (happening.type !== 'line' || happening.text !== '@crash enter') return;
        if (world.now() < 2000) return [await world.kill(happening.session), await start({ command: ['sim-promise-all.mjs'] })];
      },
    });
    expectOneEach(await digestsOf(async (seed) => (await play(script(seed))).digest));
  });
});
