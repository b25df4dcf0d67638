import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { isHeldUp, processorTimeOf } from '../../../src/driver/sim/starved.ts';

async function during(program: string, look: (pid: number) => Promise<void>) {
  const child = spawn('sh', ['-c', program], { stdio: 'ignore' });
  try {
    await look(child.pid as number);
  } finally {
    child.kill('SIGKILL');
  }
}

test('who computes has the processor or wants it', () =>
  during('while :; do :; done', async (pid) => {
    await expect.poll(() => processorTimeOf(pid), { timeout: 60_000 }).toBeGreaterThan(50);
    expect(isHeldUp(pid)).toBe(true);
  }));

test('who waits does neither', () =>
  during('exec sleep 1000', async (pid) => {
    await expect.poll(() => isHeldUp(pid), { timeout: 60_000 }).toBe(false);
    expect(processorTimeOf(pid)).toBeLessThan(1000);
  }));

test('nor does who is gone', () => {
  expect([isHeldUp(2 ** 30), processorTimeOf(2 ** 30)]).toEqual([false, 0]);
});
