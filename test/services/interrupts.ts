/**
 * Interrupts runs of a campaign at any time, in any way, and says what is left of their servers afterwards: nothing must be.
 *
 *     npm run interrupts -- [how many] [within so many seconds of their start]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workspaceRoot } from '../../src/campaign-run/workspace-root.ts';
import { stream } from '../../src/random/stream.ts';
import { sweepServers } from '../../src/services/sweep.ts';
import { segments } from './seen.ts';

const CLI = fileURLToPath(new URL('../../bin/crash-campaign.js', import.meta.url));
const [count = 50, within_s = 15] = process.argv.slice(2).map(Number);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
/** The reaper looks for what is left for so long. */
const GONE_WITHIN_MS = 5_000;

const root = await workspaceRoot();
const out = await mkdtemp(join(tmpdir(), 'interrupts-'));
const before = { ports: ports(), directories: new Set(readdirSync(root)), segments: new Set(segments()) };
const chance = stream('interrupts', count);
const pids: number[] = [];

for (let n = 1; n <= count; n++) {
  const args = ['run', 'lock-services', '--scenario', 'service-restart,partition', '--seeds', '1000', '--no-controls', '--workers', '4'];
  const run = spawn(process.execPath, [CLI, ...args, '--out', join(out, String(n))], { stdio: 'ignore' });
  const ended = once(run, 'exit');
  const after_ms = Math.round(chance.next() * within_s * 1000);
  await Promise.race([delay(after_ms), ended]);
  const signal = SIGNALS[Math.floor(chance.next() * SIGNALS.length)] ?? 'SIGKILL';
  run.kill(signal);
  // Once for the trials that have begun, and once more for who can't wait.
  if (signal === 'SIGINT') run.kill(signal);
  await ended;
  pids.push(run.pid as number);
  process.stdout.write(`${n} of ${count}: ${signal} after ${after_ms} ms\n`);
}

await delay(GONE_WITHIN_MS);
/** Directories say whose they are. */
const isOurs = (name: string) => pids.some((pid) => name.includes(`-${pid.toString(36).padStart(5, '0')}-`));
const processes = readdirSync('/proc').filter((pid) => {
  try {
    return /^\d/.test(pid) && isOurs(readlinkSync(`/proc/${pid}/cwd`));
  } catch {
    return false;
  }
});
await sweepServers(root);
const left = {
  processes,
  ports: [...ports()].filter((port) => !before.ports.has(port)).length,
  directories: readdirSync(root).filter((name) => !before.directories.has(name) && isOurs(name)),
  segments: segments().filter((segment) => !before.segments.has(segment)).length,
};
await rm(out, { recursive: true, force: true });
console.log(JSON.stringify({ interrupted: count, left }));
process.exit(left.processes.length + left.ports + left.directories.length + left.segments === 0 ? 0 : 1);

/** On which of the ports from which services get theirs somebody listens. */
function ports(): Set<string> {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const LISTENS = '0A';
  const listening = rows.map((row) => row.trim().split(/\s+/)).filter(([, , , state]) => state === LISTENS);
  return new Set(
    listening
      .map(([, address = '']) => address)
      .filter((address) => {
        const port = Number.parseInt(address.split(':')[1] ?? '', 16);
        return port >= 20_000 && port < 32_000;
      }),
  );
}
