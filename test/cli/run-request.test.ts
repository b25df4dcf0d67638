import { Command } from 'commander';
import { expect, test } from 'vitest';
import { askedBefore, askedFor } from '../../src/cli/run-request.ts';
import { TOY } from './cli.ts';

test('the command that starts a worker has the queue’s database, and not its password', async () => {
  const { queue } = await askedFor(TOY, { controls: true, keep: 'failed', queue: 'redis://:secret@10.0.0.5:6380/2' });
  expect(queue?.command).toBe(`npx crash-campaign worker ${TOY} --queue redis://10.0.0.5:6380/2`);
});

test('whoever takes a queue’s trials has the workers, when a run is started and when it is gone on with', async () => {
  const words = { controls: true, keep: 'failed', queue: 'redis://127.0.0.1:1', workers: 2 } as const;
  const refusal = '--workers is for trials that are run here';
  await expect(askedFor(TOY, words)).rejects.toThrow(refusal);
  await expect(askedBefore(undefined, { ...words, resume: 'no-such-run' }, new Command())).rejects.toThrow(refusal);
});

test('an empty run directory is not the working directory', async () => {
  const words = { controls: true, keep: 'failed', resume: '' } as const;
  await expect(askedBefore(undefined, words, new Command())).rejects.toThrow('the path of the run directory is empty');
});
