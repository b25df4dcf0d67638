import { type ChildProcess, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { expect, test } from 'vitest';
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
