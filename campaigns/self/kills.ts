/**
 * Kills a harness with SIGKILL again and again, at random moments of its run, and goes on with that run until it is complete. Nothing but the harness itself is killed: that
 * nothing of it outlives it is one of the things that are to be seen.
 *
 *     node campaigns/self/kills.ts --kills 500 [--driver sim|live] [--seed 1] [--variant without-reaper]
 *
 * Prints one JSON object. Exits 1 when a trial was lost or doubled, or had another history, or a process was left behind.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareKernel } from '../../src/campaign/prepare.ts';
import { workspaceRoot } from '../../src/campaign-run/workspace-root.ts';
import { sweepWorkspaces } from '../../src/driver/workspace.ts';
import { readRecords } from '../../src/history/read.ts';
import type { TrialRecord } from '../../src/history/record.ts';
import { stream } from '../../src/random/stream.ts';
import campaign from './campaign.ts';
import { orphansOf } from './read.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    driver: { type: 'string', default: 'sim' },
    seed: { type: 'string', default: '1' },
    variant: { type: 'string' },
  },
});
const { driver } = values;
/** What a harness that was killed has started ends by itself; so long it may take. */
const ORPHANS_MS = 10_000;

const place = mkdtempSync(join(tmpdir(), 'crash-campaign-self-'));
const problems: string[] = [];
const tally = { kills: 0, runs: 0, records: 0, tornLines: 0, killsBeforeTheFirstRecord: 0, orphansGoneWithinMs: 0 };

/** Nothing is there to see that the harness is dead. */
const withoutReaper = { name: 'without-reaper', edit: [{ file: 'src/driver/live/live-world.ts', from: 'await ensureReaper();', to: '' }] };
const variant = values.variant === undefined ? null : withoutReaper;
const file = fileURLToPath(new URL('campaign.ts', import.meta.url));
const target = join(place, 'kernel');
mkdirSync(target);
const kernel = await prepareKernel({ campaign, file, subject: { env: { SELF_DRIVER: driver } }, variant, target });

/** The harness on this run directory, and what tells its processes from all others. */
function start(directory: string) {
  const { command, env } = kernel.expand({ state: directory, ttl_ms: 0 });
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...env, NODE_COMPILE_CACHE: join(place, 'compile-cache') },
  });
  const pid = child.pid as number;
  return { child, exited: once(child, 'exit'), tags: [`SELF_STATE=${directory}\0`, `-${pid.toString(36).padStart(5, '0')}-`] };
}

async function toItsEnd(directory: string): Promise<TrialRecord[]> {
  const { exited } = start(directory);
  const [code] = await exited;
  if (code !== 0) throw new Error(`the harness ended with ${code}: start campaigns/self/harness.ts by hand and see why`);
  return (await readRecords(join(directory, 'trials.ndjson'))).records;
}

/** Says what is wrong with the records of a run that may not be finished. Every whole line must be one that belongs there, once. */
function checkRecords(directory: string, golden: Map<string, string>, finished: boolean): number {
  const path = join(directory, 'trials.ndjson');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [''];
  if (lines.pop() !== '') tally.tornLines += 1;
  const seen = new Set<string>();
  for (const line of lines) {
    const { id, digest } = JSON.parse(line) as TrialRecord;
    if (seen.has(id)) problems.push(`${id} is there twice`);
    else if (!golden.has(id)) problems.push(`${id} does not belong there`);
    else if (driver === 'sim' && golden.get(id) !== digest) problems.push(`${id} has another history`);
    seen.add(id);
  }
  if (finished) for (const id of golden.keys()) if (!seen.has(id)) problems.push(`${id} is lost`);
  return lines.length;
}

async function checkOrphans(tags: string[]): Promise<void> {
  const begun = performance.now();
  for (let left = orphansOf(...tags); left.length > 0; left = orphansOf(...tags)) {
    if (performance.now() - begun > ORPHANS_MS) {
      problems.push(...left.map(({ program }) => `left running: ${program}`));
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      return;
    }
    await sleep(20);
  }
  tally.orphansGoneWithinMs = Math.max(tally.orphansGoneWithinMs, Math.round(performance.now() - begun));
}

try {
  // The first one compiles; the second one shows how long a run takes.
  await toItsEnd(join(place, 'first'));
  const begun = performance.now();
  const golden = new Map((await toItsEnd(join(place, 'golden'))).map(({ id, digest }) => [id, digest]));
  const run_ms = performance.now() - begun;
  const random = stream('self', 'kills', Number(values.seed));
  while (tally.kills < Number(values.kills) && problems.length === 0) {
    const directory = join(place, `run-${tally.runs}`);
    for (let over = false; !over; ) {
      const { child, exited, tags } = start(directory);
      const moment = sleep(random.next() * run_ms).then(() => null);
      const end = await Promise.race([exited, moment]);
      if (end === null && child.exitCode === null) {
        child.kill('SIGKILL');
        await exited;
        tally.kills += 1;
      } else {
        const [code] = await exited;
        over = true;
        if (code !== 0) problems.push(`a harness that was not killed ended with ${code}`);
      }
      await checkOrphans(tags);
      const records = checkRecords(directory, golden, over);
      if (!over && records === 0) tally.killsBeforeTheFirstRecord += 1;
      if (over) tally.records += records;
      if (problems.length > 0) break;
    }
    tally.runs += 1;
    process.stderr.write(`${tally.kills} kills, ${tally.runs} runs\n`);
    rmSync(directory, { recursive: true, force: true });
  }
} finally {
  rmSync(place, { recursive: true, force: true });
  await sweepWorkspaces(await workspaceRoot());
}
process.stdout.write(`${JSON.stringify({ driver, variant: values.variant ?? null, ...tally, problems })}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
