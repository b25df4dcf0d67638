import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { family } from '../../../src/driver/live/processes.ts';

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'nothing outlives a harness that ends by %s',
  async (signal) => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'sim-harness-')));
    const [state, home] = [join(directory, 'state'), join(directory, 'home')];
    mkdirSync(state);
    mkdirSync(home);
    const left = () => family([{ tag: `CRASH_CAMPAIGN_STATE=${state}`, leader: null }]);
    const harness = spawn(process.execPath, [fileURLToPath(new URL('../../fixtures/sim-harness.ts', import.meta.url)), state, home], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(harness.stdout, 'data');
      expect(left().length).toBeGreaterThanOrEqual(4);
      harness.kill(signal);
      await once(harness, 'exit');
      while (left().length > 0) await delay(10);
    } finally {
      harness.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    }
  },
  30_000,
);
