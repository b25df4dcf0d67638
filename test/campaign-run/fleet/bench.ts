/**
 * A fleet of the real size: three workers, one of which is SIGKILLed again and again, and what a trial costs. Ctrl-C ends it with the figures until then.
 *
 *     npm run bench -- fleet [trials]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { statOf } from '../../../src/driver/proc.ts';
import { readRecords } from '../../../src/history/read.ts';
import { openServices } from '../../../src/services/services.ts';
import { redisCall } from '../../../src/wire/redis.ts';
import { TOY } from '../../cli/cli.ts';
import { runToy, trialsOf } from '../toy-run.ts';
import { killInTheMiddle, startWorker, type WorkerProcess } from './workers.ts';

const TRIALS = Number(process.argv[3] ?? 2000);
const WORKERS = 3;
/** On two quiet cores that is every few seconds. */
const TRIALS_PER_KILL = 25;
/** So many trials are run here too, and compared. */
const COMPARED = 40;
const TICKS_PER_SECOND = 100;

const directory = mkdtempSync(join(tmpdir(), 'crash-campaign-fleet-bench-'));
const services = openServices({ root: directory });
const stop = new AbortController();
// Of npm it comes twice.
process.on('SIGINT', () => stop.abort());
const workers: WorkerProcess[] = [];
try {
  const { url } = (await services.lease('redis', 'bench', false)).access;
  const redis = async (section: string, name: string) =>
    Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(String(await redisCall(url, 'INFO', section)))?.[1]);
  const empty_bytes = await redis('memory', 'used_memory');
  const seeds = Array.from({ length: TRIALS }, (_, i) => i + 1);
  const out = join(directory, 'run');
  const only = { variants: [], controls: false };

  let workersCpu_s = 0;
  let kills = 0;
  let peak_bytes = 0;

  /** User and system time of a process and of the children that it has waited for: its kernels. */
  function cpuOf({ process: { pid } }: WorkerProcess): number {
    const fields = statOf(pid as number) as string[];
    return fields.slice(14, 18).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  }

  async function end(worker: WorkerProcess) {
    workersCpu_s += cpuOf(worker);
    worker.process.kill('SIGTERM');
    await worker.process;
  }

  /** Kills a worker in the middle of a trial, and starts another in its place. */
  async function disturb() {
    peak_bytes = Math.max(peak_bytes, await redis('memory', 'used_memory'));
    const victim = await killInTheMiddle(url, workers);
    if (!victim) return;
    workersCpu_s += cpuOf(victim);
    workers.splice(workers.indexOf(victim), 1);
    kills += 1;
    workers.push(startWorker(TOY, url));
  }

  const began_ms = performance.now();
  const ownBefore = process.cpuUsage();
  let waiting_bytes = 0;
  let goldenDone = false;
  const notes: string[] = [];
  const running = runToy(out, {
    ...only,
    seeds,
    keep: 'failed',
    signal: stop.signal,
    queue: { url, command: `crash-campaign worker ${TOY}` },
    onNote: (text) => notes.push(text),
    async onProgress({ type, done }) {
      goldenDone ||= type === 'golden';
      if (type === 'trial' && done % TRIALS_PER_KILL === 0 && done < TRIALS) await disturb();
      if (type === 'trial' && done % 100 === 0)
        console.error(`${done} trials, ${kills} kills, ${((performance.now() - began_ms) / 1000).toFixed(0)} s`);
    },
  });
  // Nobody takes any yet: what lies in Redis is what waits.
  const full = Math.min(TRIALS, 1000);
  for (let waiting = 0; waiting < full; ) {
    await sleep(200);
    if (!goldenDone) continue;
    const [list] = (await redisCall(url, 'KEYS', 'crash-campaign:*:wait')) as string[];
    waiting = list === undefined ? 0 : Number(await redisCall(url, 'LLEN', list));
  }
  waiting_bytes = ((await redis('memory', 'used_memory')) - empty_bytes) / full;
  for (let i = 0; i < WORKERS; i++) workers.push(startWorker(TOY, url));
  await running;
  const own = process.cpuUsage(ownBefore);
  await Promise.all(workers.map((worker) => end(worker)));

  const { records } = await readRecords(trialsOf(out));
  const done = records.slice(1);
  const distinct = new Set(done.map(({ id }) => id)).size;
  const here = join(directory, 'here');
  await runToy(here, { ...only, seeds: seeds.slice(0, COMPARED) });
  const same = (await readRecords(trialsOf(here))).records.slice(1);
  const byId = new Map(done.map(({ id, digest }) => [id, digest]));
  const network = (await redis('stats', 'total_net_input_bytes')) + (await redis('stats', 'total_net_output_bytes'));
  const per = (n: number) => (n / done.length).toFixed(0);
  console.log(
    [
      `${done.length} of ${TRIALS} trials recorded, ${distinct} distinct, ${kills} workers SIGKILLed, ${((performance.now() - began_ms) / 1000).toFixed(0)} s`,
      ...notes.filter((note) => note.includes('given to others')),
      `${same.filter(({ id, digest }) => byId.get(id) === digest).length} of ${same.length} that were run here too have the same history`,
      `CPU per trial: ${per(workersCpu_s * 1000)} ms on workers, their starts included, ${per((own.user + own.system) / 1000)} ms in the run`,
      `bytes per trial: ${waiting_bytes.toFixed(0)} in Redis while it waits, ${per(network)} to and from Redis, ${per((await stat(trialsOf(out))).size)} of record`,
      `Redis at its largest: ${((peak_bytes - empty_bytes) / 1e6).toFixed(1)} MB more than empty`,
    ].join('\n'),
  );
  if (distinct !== done.length || (!stop.signal.aborted && done.length !== TRIALS)) process.exitCode = 1;
} finally {
  for (const worker of workers) worker.process.kill('SIGKILL');
  await services.close();
  rmSync(directory, { recursive: true, force: true });
}
