/**
 * What the gate says of a kernel that is as it was, and of three that recover worse, over so many seeds under sim:
 *
 *     npm run bench -- gate [seeds, 200]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateOptions } from '../../src/gate/run-gate.ts';
import { gateOver, planted } from './gate-over.ts';

const PLANTS = {
  nothing: 'as it was',
  'slow-takeover': 'takeover +20 %',
  'longer-lease': 'lease +10 %',
  never: '2 % never recover',
};

const seeds = `1-${process.argv[3] ?? 200}`;
const directory = await mkdtemp(join(tmpdir(), 'crash-campaign-gate-bench-'));
const file = join(directory, 'baseline.json');

function gate(plant: string, compareWith: GateOptions['with']) {
  return gateOver({ seeds, ...planted(plant) }, compareWith, join(directory, `${compareWith.is}-${plant}`));
}

try {
  await gate('nothing', { is: 'update', file });
  for (const [plant, what] of Object.entries(PLANTS)) {
    const { verdict, compare } = (await gate(plant, { is: 'baseline', file })).gate;
    const { same, slower, faster } = compare?.seeds.exact ?? {};
    const exact = `${same} seeds the same, ${slower} slower, ${faster} faster`;
    console.log(`${what.padEnd(20)} ${verdict.padEnd(5)} ${compare?.decision ?? 'not compared'}: ${exact}`);
  }
} finally {
  await rm(directory, { recursive: true });
}
