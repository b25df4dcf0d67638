import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import seedrandom from 'seedrandom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { look } from '../../../src/driver/live/processes.ts';
import { ensureReaper, HARNESS_TAG } from '../../../src/driver/live/reaper.ts';
import { openWorkspace, type Workspace } from '../../../src/driver/workspace.ts';

const script = fileURLToPath(new URL('../../fixtures/live/harness.ts', import.meta.url));

/** What must be gone so long after the harness's end. */
const GONE_WITHIN_MS = 2000;

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => {
  // Of a test that has failed.
  for (const { child, kill } of started.splice(0)) if (child.exitCode === null && child.signalCode === null) kill('SIGKILL');
  return workspace.remove();
});
const started: { child: ChildProcess; kill(name: NodeJS.Signals): void }[] = [];

/** A harness, and a mark that it and all that it starts carry in the environment. Its reaper is known by the tag that the harness says. */
function startHarness(end: string) {
  const mark = `HARNESS_DEATH_TEST=${randomUUID()}`;
  const [name = '', value] = mark.split('=');
  const child = spawn(process.execPath, [script, workspace.logs, end], {
    env: { ...process.env, [name]: value },
    // A group of its own, so that a test can end it as a terminal does.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const kill = (name: NodeJS.Signals) => process.kill(-(child.pid as number), name);
  started.push({ child, kill });
  return { child, kill, survivors: () => carrying([mark, ...(said.match(/^CRASH_CAMPAIGN_TRIAL=\S+$/m) ?? [])]) };
}

/** Processes with one of these texts in their environment or arguments, as the machine shows them: `pid state arguments`. */
function carrying(texts: string[]): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter(
      (pid) => /^\d/.test(pid) && texts.some((text) => `${read(`/proc/${pid}/environ`)}${read(`/proc/${pid}/cmdline`)}`.includes(text)),
    )
    .map((pid) => `${pid} ${look(Number(pid))?.state} ${read(`/proc/${pid}/cmdline`)}`);
}

async function expectNothingLeft(survivors: () => string[]) {
  await expect.poll(survivors, { timeout: GONE_WITHIN_MS, interval: 20 }).toEqual([]);
}

const untilAllRun = async (child: ChildProcess) => {
  for (let said = ''; !said.includes('all\n'); ) said += String((await once(child.stdout as NodeJS.ReadableStream, 'data'))[0]);
};

test('nothing outlives a harness that is SIGKILLed at twenty random moments', { timeout: 120_000 }, async () => {
  const random = seedrandom('harness-death');
  // How long a harness takes until all its kernels run; the moments lie within it.
  const begun = performance.now();
  const first = startHarness('stay');
  await untilAllRun(first.child);
  const startUp_ms = performance.now() - begun;
  expect(first.survivors().length).toBeGreaterThanOrEqual(8);
  first.kill('SIGKILL');
  await expectNothingLeft(first.survivors);

  let caughtAtWork = 0;
  async function killOne() {
    const { child, kill, survivors } = startHarness('stay');
    // The fault itself, not a wait for something. Four at a time take longer to start.
    await delay(2 * startUp_ms * random());
    if (survivors().length > 2) caughtAtWork++;
    kill('SIGKILL');
    await once(child, 'exit');
    await expectNothingLeft(survivors);
  }
  for (let round = 0; round < 5; round++) await Promise.all([killOne(), killOne(), killOne(), killOne()]);
  expect(caughtAtWork).toBeGreaterThan(5);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('nothing outlives a harness that %s ends', async (name) => {
  const { child, kill, survivors } = startHarness('stay');
  await untilAllRun(child);
  kill(name);
  expect(await once(child, 'exit')).toEqual([null, name]);
  await expectNothingLeft(survivors);
});

test.each([
  { end: 'exit', code: 0 },
  { end: 'throw', code: 1 },
])('nothing outlives a harness that ends by $end', async ({ end, code }) => {
  const { child, survivors } = startHarness(end);
  expect(await once(child, 'exit')).toEqual([code, null]);
  await expectNothingLeft(survivors);
});

test('nothing outlives a harness that is killed by its name, with everything that bears it', async () => {
  const { child, survivors } = startHarness('stay');
  await untilAllRun(child);
  for (const line of survivors())
    if (/harness\.ts|crash-campaign-reaper|[/]crash-campaign/.test(line)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  await expectNothingLeft(survivors);
});

test('a reaper that is killed is replaced', async () => {
  await ensureReaper();
  const reapers = () => carrying([`REAPER_OF=${HARNESS_TAG}`]).filter((line) => !line.includes(' Z '));
  const [before = ''] = reapers();
  process.kill(Number.parseInt(before, 10), 'SIGKILL');
  await expect.poll(() => reapers().filter((line) => line !== before).length).toBe(1);
});
