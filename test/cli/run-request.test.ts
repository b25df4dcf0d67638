import { expect, test } from 'vitest';
import { askedFor } from '../../src/cli/run-request.ts';
import { TOY } from './cli.ts';

test('the command that starts a worker has the queue’s database, and not its password', async () => {
  const { queue } = await askedFor(TOY, { controls: true, keep: 'failed', queue: 'redis://:secret@10.0.0.5:6380/2' });
  expect(queue?.command).toBe(`npx crash-campaign worker ${TOY} --queue redis://10.0.0.5:6380/2`);
});
