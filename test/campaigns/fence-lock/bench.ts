/**
 * What each fence lock costs a write that nobody disturbs: real time on a real disk, the locks in turn, write by write, so that all of them see the same load.
 *
 *     npm run bench -- fence-lock
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FenceLock } from '../../../campaigns/fence-lock/kernel/fence-lock.ts';
import { named } from '../../../campaigns/fence-lock/kernel/locks/named.ts';
import { ownerFile } from '../../../campaigns/fence-lock/kernel/locks/owner-file.ts';
import { unnamed } from '../../../campaigns/fence-lock/kernel/locks/unnamed.ts';
import { quantile } from '../../../src/stats/quantile.ts';

const WRITES = 1000;
/** The first ones compile. */
const WARM_UP = 200;

const none: FenceLock = () => ({ acquire: async () => async () => {} });
const LOCKS: Record<string, FenceLock> = { none, unnamed, named, 'owner-file': ownerFile };

interface Writer {
  name: string;
  write(n: number): Promise<{ lock_ms: number; write_ms: number }>;
}

function writerOf(root: string, name: string, makeLock: FenceLock): Writer {
  const state = join(root, name);
  for (const folder of ['.locks', 'events', 'tmp']) mkdirSync(join(state, folder), { recursive: true });
  const onLost = () => {
    throw new Error(`the ${name} lock was lost`);
  };
  const lock = makeLock({ file: join(state, '.locks/run-1.in-band'), session: 's1', stale_ms: 30_000, onLost });
  const publish = (path: string, content: object) => {
    writeFileSync(join(state, 'tmp/s1'), JSON.stringify(content));
    renameSync(join(state, 'tmp/s1'), join(state, path));
  };
  return {
    name,
    async write(n) {
      const began = performance.now();
      const release = await lock.acquire();
      const held = performance.now();
      publish(`events/${n}.json`, { fact: `step:${n}`, session: 's1' });
      publish('run-1.json', { count: n, lease: { session: 's1', until_ms: n } });
      const published = performance.now();
      await release();
      const ended = performance.now();
      return { lock_ms: held - began + ended - published, write_ms: ended - began };
    },
  };
}

const root = mkdtempSync(join(tmpdir(), 'fence-lock-bench-'));
try {
  const writers = Object.entries(LOCKS).map(([name, lock]) => writerOf(root, name, lock));
  const costs = new Map(writers.map(({ name }) => [name, { lock_ms: [] as number[], write_ms: [] as number[] }]));
  for (let n = 0; n < WARM_UP + WRITES; n++) {
    // Another one is first each time.
    const turn = n % writers.length;
    for (const writer of [...writers.slice(turn), ...writers.slice(0, turn)]) {
      const { lock_ms, write_ms } = await writer.write(n);
      if (n < WARM_UP) continue;
      costs.get(writer.name)?.lock_ms.push(lock_ms);
      costs.get(writer.name)?.write_ms.push(write_ms);
    }
  }
  const at = (times: number[], p: number) => quantile(times, p) ?? Number.NaN;
  const sorted = [...costs].map(([name, { lock_ms, write_ms }]) => {
    const [lock, write] = [lock_ms, write_ms].map((times) => times.toSorted((a, b) => a - b)) as [number[], number[]];
    return { name, lock, write };
  });
  const base = sorted.find(({ name }) => name === 'unnamed');
  // On a machine that is busy with other things most writes are interrupted, and the fastest tenth says what one costs.
  for (const [said, p] of [
    ['median', 0.5],
    ['fastest tenth', 0.1],
  ] as const) {
    console.log(`${WRITES} writes under each lock, in turn: ${said}`);
    for (const { name, lock, write } of sorted) {
      const ratio = at(write, p) / at(base?.write ?? [], p);
      console.log(
        `  ${name.padEnd(10)}  lock ${at(lock, p).toFixed(3)} ms  write ${at(write, p).toFixed(3)} ms  ${ratio.toFixed(2)} × unnamed`,
      );
    }
  }
} finally {
  rmSync(root, { recursive: true });
}
