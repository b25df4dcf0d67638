import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stallBesideAnother from '../../../scenarios/stall-beside-another.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import noDuplicateEvents from '../../../src/invariants/no-duplicate-events.ts';
import { noLock } from '../../../src/locks/no-lock.ts';
import { readLog } from '../../world-local/read.ts';
import { runIdOf } from '../../world-local/run-id.ts';
import museumCase from './case.ts';

const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

const subject = (version: string) => ({
  name: `world-local@${version}`,
  package: `@workflow/world-local@${version}`,
  packageLock: '../packages.lock.json',
});

export default defineCampaign({
  name: 'workflow-1877',
  title: 'Two workers go through one durable run on @workflow/world-local at once.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'] },
  subjects: [{ ...subject('5.0.0-beta.3'), knownDefects: [{ invariant: 'no-duplicate-events', source }] }, subject('5.0.0-beta.4')],
  lock: noLock,
  setup: ({ state, now_ms }) => writeFileSync(join(state, 'run-id'), runIdOf(now_ms)),
  read({ state }) {
    const reading = readLog(join(state, 'data'));
    // Of a run's own events nobody has promised that.
    return { ...reading, events: reading.events.filter(({ id }) => /^(step|wait)_/.test(id)) };
  },
  scenarios: [stallBesideAnother],
  invariants: [noDuplicateEvents],
  seeds: '1-20',
  robbed_reason: 'robbed',
  timing: { sim: timing, live: timing },
});
