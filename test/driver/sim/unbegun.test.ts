import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LaunchError } from '../../../src/driver/launch-error.ts';
import { openSimWorld } from '../../../src/driver/sim/sim-world.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-campaign-unbegun-'));
});
afterAll(() => rm(directory, { recursive: true }));

// What node does where it can start no thread depends on which one that is. Here it comes to the same places by what is preloaded.
test.each([
  ['aborts itself', 'process.abort()', 'node aborted itself'],
  ['waits for ever', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'node did nothing for 2000 ms of real time'],
])('a node that %s before its program says nothing about the program', async (_, preloaded, what) => {
  const [probe, program] = [join(directory, 'probe.cjs'), join(directory, 'program.cjs')];
  await writeFile(probe, preloaded);
  await writeFile(program, '');
  const world = await openSimWorld({ seed: 1, state: directory, home: directory, probe, patience_ms: 2000 });
  try {
    await world.start({ session: 's1', host: 'h1', command: ['node', program], env: {}, log: join(directory, 's1'), reasons: [] });
    const error = await world.next(60_000).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(LaunchError);
    expect(error).toMatchObject({ errno: 'EAGAIN', problem: expect.stringContaining(what) });
  } finally {
    await world.close();
  }
});
