import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withBench } from '../../src/campaign-run/bench.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import smallest from '../fixtures/smallest/campaign.ts';

/** The second session finds the work done and dies. */
const PROGRAM = `
const fs = require('node:fs');
const [, state] = process.argv;
if (fs.existsSync(state + '/done')) fs.renameSync(state + '/work/' + 'a'.repeat(150), state + '/' + 'b'.repeat(150));
fs.writeFileSync(state + '/done', '');
`;

test('what a session said last is told whole, and names the state directory as the campaign does', async () => {
  const directory = fileURLToPath(new URL('../fixtures/smallest', import.meta.url));
  const campaign = { ...smallest, kernel: { ...smallest.kernel, command: ['node', '-e', PROGRAM, '{state}'] } };
  const about = { subject: 'smallest', variant: null, scenario: 'kill-at-the-operation', seed: 1 };
  const { record } = await withBench(
    { campaign: { campaign, directory, file: `${directory}/campaign.ts` }, driver: 'sim', variants: [] },
    (bench) => bench.run(about, parsePlan('s1@end:rival')),
  );
  expect(record.violations.find(({ invariant }) => invariant === 'finishes')?.message).toContain(
    `saying “Error: ENOENT: no such file or directory, rename '{state}/work/${'a'.repeat(150)}' -> '{state}/${'b'.repeat(150)}'”`,
  );
});
