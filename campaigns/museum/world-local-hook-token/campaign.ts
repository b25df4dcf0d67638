import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import killAnywhere from '../../../scenarios/kill-anywhere.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import recoversWithin from '../../../src/invariants/recovers-within.ts';
import { noLock } from '../../../src/locks/no-lock.ts';
import { readLog } from '../../world-local/read.ts';
import { runIdOf } from '../../world-local/run-id.ts';
import museumCase from './case.ts';

const { source } = museumCase;

const subject = (version: string) => ({
  name: `world-local@${version}`,
  package: `@workflow/world-local@${version}`,
  packageLock: '../packages.lock.json',
});

export default defineCampaign({
  name: 'world-local-hook-token',
  title: 'A durable run on @workflow/world-local makes a hook and disposes of it.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'] },
  subjects: [{ ...subject('5.0.0-beta.46'), knownDefects: [{ invariant: 'recovers-within', source }] }, subject('5.0.0-beta.29')],
  lock: noLock,
  setup: ({ state, now_ms }) => writeFileSync(join(state, 'run-id'), runIdOf(now_ms)),
  read: ({ state }) => readLog(join(state, 'data')),
  scenarios: [killAnywhere],
  invariants: [recoversWithin],
  seeds: '1-20',
  robbed_reason: 'robbed',
  timing: {
    sim: { ttl_ms: 30_000, recovers_within_ms: 2_000, deadline_ms: 90_000 },
    // On the real clock it takes a busy machine seconds to load the package.
    live: { ttl_ms: 30_000, recovers_within_ms: 15_000, deadline_ms: 90_000 },
  },
});
