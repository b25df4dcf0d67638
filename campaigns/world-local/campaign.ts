import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import killAnywhere from '../../scenarios/kill-anywhere.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import finishes from '../../src/invariants/finishes.ts';
import noDuplicateEvents from '../../src/invariants/no-duplicate-events.ts';
import noLostAcks from '../../src/invariants/no-lost-acks.ts';
import recoversWithin from '../../src/invariants/recovers-within.ts';
import stateParses from '../../src/invariants/state-parses.ts';
import { claimLock } from './claim-lock.ts';
import { logIsComplete } from './log-is-complete.ts';
import { readLog } from './read.ts';
import { runIdOf } from './run-id.ts';

const subject = (version: string) => ({ name: version, package: `@workflow/world-local@${version}` });

export default defineCampaign({
  name: 'world-local',
  title: 'A durable run on @workflow/world-local, as it is published.',
  kernel: { command: ['node', '{kernel}/kernel.ts'] },
  subjects: ['5.0.0-beta.46', '4.4.1', '5.0.0-beta.2', '5.0.0-beta.20'].map(subject),
  lock: claimLock,
  setup: ({ state, now_ms }) => writeFileSync(join(state, 'run-id'), runIdOf(now_ms)),
  read: ({ state }) => readLog(join(state, 'data')),
  scenarios: [killAnywhere],
  invariants: [noLostAcks, noDuplicateEvents, stateParses, logIsComplete, finishes, recoversWithin],
  seeds: '1000-1029',
  robbed_reason: 'robbed',
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 15_000, deadline_ms: 45_000 } },
});
