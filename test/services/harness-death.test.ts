import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServiceKind } from '../../src/campaign/campaign.ts';
import { sweepServers } from '../../src/services/sweep.ts';
import { answers, segments } from './seen.ts';
import { there } from './there.ts';

const HARNESS = fileURLToPath(new URL('../fixtures/services/harness.ts', import.meta.url));
const kinds = there(['etcd', 'postgres', 'redis']);

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'services-'));
  await chmod(root, 0o755);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Starts servers in a harness of their own, and ends it. */
async function interrupted(signal: NodeJS.Signals, started: ServiceKind[] = kinds): Promise<{ tag: string; urls: string[] }> {
  const harness = spawn(process.execPath, [HARNESS, ...started], {
    env: { ...process.env, HARNESS_ROOT: root },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface(harness.stdout)) {
    if (line === 'all') break;
    lines.push(line);
  }
  harness.kill(signal);
  await once(harness, 'exit');
  const [tag = '', ...urls] = lines;
  return { tag, urls };
}

function carrying(tag: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${tag}.`);
    } catch {
      return false;
    }
  });
}

async function untilGone({ tag, urls }: { tag: string; urls: string[] }) {
  while (carrying(tag).length > 0) await delay(20);
  for (const url of urls) while (await answers(url)) await delay(20);
}

test.runIf(kinds.length > 0).each(['SIGTERM', 'SIGKILL'] as const)(
  'nothing is left of the servers of a harness that got %s',
  async (signal) => {
    const before = new Set(segments());
    const harness = await interrupted(signal);
    expect(harness.urls).toHaveLength(kinds.length);
    await untilGone(harness);
    if (signal === 'SIGKILL') expect(readdirSync(root)).not.toEqual([]);
    await sweepServers(root);
    expect(readdirSync(root)).toEqual([]);
    expect(segments().filter((segment) => !before.has(segment))).toEqual([]);
  },
);

test.runIf(kinds.includes('postgres'))('a harness that has nothing else to do stays until its server has ended', async () => {
  await interrupted('SIGTERM', ['postgres']);
  expect(readdirSync(root)).toEqual([]);
});
