import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCampaign } from '../../../src/campaign/load.ts';
import { connect } from '../../../src/campaign-run/fleet/connection.ts';
import { FleetError } from '../../../src/campaign-run/fleet/fleet-error.ts';
import type { RunOptions } from '../../../src/campaign-run/run.ts';
import { RunStoppedError } from '../../../src/campaign-run/run-errors.ts';
import { readRecords } from '../../../src/history/read.ts';
import { type LeasedService, openServices, type Services } from '../../../src/services/services.ts';
import { redisCall } from '../../../src/wire/redis.ts';
import { TOY } from '../../cli/cli.ts';
import { there } from '../../services/there.ts';
import { runToy, trialsOf } from '../toy-run.ts';
import { killInTheMiddle, start, startWorker, type WorkerProcess } from './workers.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Longer than a worker may have to wait for a core on a busy machine. */
const LEASE_MS = 5_000;
const COMMAND = 'npx crash-campaign worker toy';

// Each test starts several processes, one after the other, and waits for leases.
describe.runIf(there(['redis']).length > 0)('a fleet', { timeout: 400_000 }, () => {
  let directory: string;
  let services: Services;
  let redis: LeasedService;
  let url: string;
  const started: WorkerProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'crash-campaign-fleet-'));
    services = openServices({ root: directory });
    redis = await services.lease('redis', 'fleet', false);
    url = redis.access.url;
    await runToy(join(directory, 'whole'), { keep: 'all' });
  });
  afterAll(async () => {
    await sendAway();
    await services.close();
    await rm(directory, { recursive: true });
  });

  function worker(campaign = TOY, options: Parameters<typeof startWorker>[2] = {}): WorkerProcess {
    const one = startWorker(campaign, url, options);
    started.push(one);
    return one;
  }

  async function sendAway() {
    for (const { process } of started) process.kill('SIGTERM');
    await Promise.all(started.splice(0).map(({ process }) => process));
  }

  const queued = (over: Partial<RunOptions> = {}): Partial<RunOptions> => ({
    queue: { url, command: COMMAND, leaseMs: LEASE_MS },
    ...over,
  });
  const digests = async (run: string) =>
    (await readRecords(trialsOf(join(directory, run)))).records.map(({ id, digest, verdict }) => `${id} ${verdict} ${digest}`).sort();
  /** What would stay there for ever. */
  async function leftInRedis() {
    const keys = (await redisCall(url, 'KEYS', 'crash-campaign:*')) as string[];
    const ttls = await Promise.all(keys.map((key) => redisCall(url, 'PTTL', key)));
    return keys.filter((_, i) => ttls[i] === -1);
  }

  test('whose workers are SIGKILLed in the middle of trials runs each trial exactly once, as one machine does', async () => {
    const notes: string[] = [];
    const fleet = [worker(), worker(), worker()];
    let kills = 0;
    const onProgress: RunOptions['onProgress'] = async ({ type }) => {
      if (type === 'golden' || kills === 2) return;
      const victim = await killInTheMiddle(url, fleet);
      if (!victim) return;
      kills += 1;
      fleet.splice(fleet.indexOf(victim), 1, worker());
    };
    const { summary } = await runToy(join(directory, 'killed'), queued({ keep: 'all', onProgress, onNote: (text) => notes.push(text) }));
    expect(notes.join('\n')).toMatch(/workers that died or stood still had [1-9]\d* trials, which were given to others/);
    expect(await digests('killed')).toEqual(await digests('whole'));
    expect(summary).toMatchObject({ verdict: 'pass', trials: { total: 4 } });
    // What is kept of them has come too.
    const files = async (run: string) => (await readdir(join(directory, run, 'artefacts'), { recursive: true })).sort();
    expect(await files('killed')).toEqual(await files('whole'));
    const history = 'artefacts/kill-at-third-event/toy/-/1/history.ndjson';
    expect(await readFile(join(directory, 'killed', history), 'utf8')).toBe(await readFile(join(directory, 'whole', history), 'utf8'));
    expect(await leftInRedis()).toEqual([]);
  });

  test('whose run is SIGKILLed goes on with it', async () => {
    const out = join(directory, 'gone');
    const run = start(['run', TOY, '--seeds', '1-4', '--keep', 'none', '--queue', url, '--out', out]);
    for await (const line of run.iterable({ from: 'all' })) if (String(line).startsWith('trials')) run.kill('SIGKILL');
    await run;
    const before = await digests('gone');
    expect(before.length).toBeLessThan((await digests('whole')).length);
    const resumed = await start(['run', '--resume', out, '--queue', url]);
    expect(resumed.all).toContain('PASS  4 trials');
    expect(await digests('gone')).toEqual(await digests('whole'));
    expect(await leftInRedis()).toEqual([]);
  });

  test('waits for a Redis that dies in the middle, and offers again what that has lost', async () => {
    let isKilled = false;
    const onProgress: RunOptions['onProgress'] = async ({ type }) => {
      if (type === 'golden' || isKilled) return;
      isKilled = true;
      await redis.kill();
      redis.start();
      await redis.restored();
    };
    const { summary } = await runToy(join(directory, 'redis-killed'), queued({ onProgress }));
    expect(summary.verdict).toBe('pass');
    expect(await digests('redis-killed')).toEqual(await digests('whole'));
  });

  test('runs some trials on two workers, and a difference is a determinism bug', async () => {
    const name = 'toy-unrepeatable-recovery';
    for (const _ of [1, 2]) worker(join('test/fixtures/cli', name));
    const campaign = await loadCampaign(join('test/fixtures/cli', name), { cwd: root });
    const out = join(directory, 'verified');
    const { summary } = await runToy(out, queued({ campaign, subjects: [name], variants: [], seeds: [1, 2], verify: 0.001 }));
    expect(summary).toMatchObject({ verdict: 'void', determinism: { checked: 1, different: [{ difference: null }] } });
    expect(summary.reasons[0]).toMatch(/^determinism bug: 1 of 1 trials/);
  });

  describe('with a worker that does not fit', () => {
    /** Gives up when the first note says what is looked for. */
    async function refused(run: string, one: WorkerProcess, over: Partial<RunOptions> = {}) {
      const stop = new AbortController();
      const notes: string[] = [];
      const onNote = (text: string) => {
        notes.push(text);
        if (text.includes(`worker ${one.name} refuses`)) stop.abort();
      };
      await runToy(join(directory, run), queued({ signal: stop.signal, onNote, ...over }));
      return notes.join('\n');
    }

    test('of another version: it refuses, says so on both sides, and the trials are there for others', async () => {
      const copy = join(directory, 'other-version');
      await copyOfProject(copy, () => true);
      const json = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
      await writeFile(join(copy, 'package.json'), JSON.stringify({ ...json, version: '9.9.9' }));
      await sendAway();
      const other = worker(join(root, TOY), { cwd: copy, more: ['--once'] });
      expect(await refused('version', other)).toMatch(
        /refuses the trials: this is another version of crash-campaign \(the run has 0\.\d+\.\d+, and the worker 9\.9\.9\)/,
      );
      expect(await other.process).toMatchObject({ exitCode: 64, all: expect.stringContaining('another version of crash-campaign') });
      expect(await digests('version')).toHaveLength(1);
      worker();
      await runToy(join(directory, 'version'), queued({ existing: 'resume' }));
      expect(await digests('version')).toEqual(await digests('whole'));
    });

    test('that draws other plans', async () => {
      const path = join(directory, 'other-plans');
      await mkdir(path);
      await writeFile(
        join(path, 'campaign.ts'),
        `import toy from '${join(root, TOY, 'campaign.ts')}';
        const [scenario] = toy.scenarios;
        const later = (plan) => ({ ...plan, faults: [{ ...plan.faults[0], where: { at: 'event', n: 4 } }] });
        const draw = (golden) => scenario.draw(golden).map(later);
        export default { ...toy, kernel: { ...toy.kernel, directory: '${join(root, TOY)}' }, scenarios: [{ ...scenario, draw }] };`,
      );
      await sendAway();
      const one = worker(path);
      expect(await refused('plans', one)).toMatch(/its scenarios draw other plans now/);
    });
  });

  test('leaves the trials of a worker whose machine has run out of something to others', async () => {
    await sendAway();
    const limited = `ulimit -n 36; exec "${process.execPath}" bin/crash-campaign.js "$@"`;
    const args = ['worker', TOY, '--queue', url, '--workers', '8', '--once'];
    const starved = execa('bash', ['-c', limited, 'limited', ...args], { cwd: root, reject: false, stdin: 'ignore', all: true });
    const run = runToy(join(directory, 'starved'), queued());
    expect(await starved).toMatchObject({
      exitCode: 70,
      all: expect.stringMatching(
        /^crash-campaign: this worker stops, and its trial is left to others: this process has as many files open/m,
      ),
    });
    worker();
    expect((await run).summary.verdict).toBe('pass');
    expect(await digests('starved')).toEqual(await digests('whole'));
  });

  test('without any worker says how to start one, and stops in the end', async () => {
    await sendAway();
    const notes: string[] = [];
    const run = runToy(join(directory, 'alone'), { queue: { url, command: COMMAND, patienceMs: 1 }, onNote: (text) => notes.push(text) });
    const error = await run.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RunStoppedError);
    expect(String(error)).toMatch(
      /no worker has taken a trial for \d+ s: none is there\. .* Start a worker that can: npx crash-campaign worker toy/,
    );
  });

  test('a Redis that loses trials, has not the database, or never answers is refused', async () => {
    await expect(connect(`${url}/99`)).rejects.toThrow(/can't be used: database 99: ERR .*redis:\/\/HOST:PORT\/0/);
    await redisCall(url, 'CONFIG', 'SET', 'maxmemory', '1gb', 'maxmemory-policy', 'allkeys-lru');
    await expect(connect(url)).rejects.toThrow(/its maxmemory-policy is allkeys-lru.*config set maxmemory-policy noeviction/);
    await redisCall(url, 'CONFIG', 'SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction');
    await expect(connect(url)).rejects.toThrow(/can't be used: OOM .*has room/);
    await redisCall(url, 'CONFIG', 'SET', 'maxmemory', '0');

    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    await expect(connect(`redis://127.0.0.1:${port}`)).rejects.toThrow(/can't be reached: it has not answered for 10 s/);
    mute.close();
  });

  test('that can’t be had is one clear error', async () => {
    await expect(connect('redis://127.0.0.1:1')).rejects.toThrow(/^Redis at 127\.0\.0\.1:1 can't be reached: connect ECONNREFUSED/);
    await redisCall(url, 'CONFIG', 'SET', 'requirepass', 'secret');
    await expect(connect(url)).rejects.toThrow(/can't be reached: .*NOAUTH/);
    await expect(connect(url.replace('//', '//:wrong@'))).rejects.toThrow(/can't be reached: .*WRONGPASS/);
    const connection = await connect(url.replace('//', '//:secret@'));
    expect(await connection.redis.ping()).toBe('PONG');
    connection.close();
    await expect(connect(url)).rejects.toBeInstanceOf(FleetError);

    const copy = join(directory, 'without-bullmq');
    await copyOfProject(copy, (name) => name !== 'bullmq');
    const { exitCode, all } = await start(['worker', join(root, TOY), '--queue', url], { cwd: copy });
    expect({ exitCode, all }).toEqual({
      exitCode: 64,
      all: 'crash-campaign: --queue needs the packages bullmq and ioredis, which are not installed: npm install bullmq ioredis',
    });
  });
});

/** A project with the same sources, and those of the packages that are wanted. */
async function copyOfProject(copy: string, isWanted: (packageName: string) => boolean): Promise<void> {
  await mkdir(join(copy, 'node_modules'), { recursive: true });
  for (const part of ['bin', 'src', 'scenarios', 'package.json']) await cp(join(root, part), join(copy, part), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (isWanted(name)) await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
}
