import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCampaign } from '../../src/campaign/define.ts';
import finishes from '../../src/invariants/finishes.ts';
import noDuplicateEvents from '../../src/invariants/no-duplicate-events.ts';
import noLostAcks from '../../src/invariants/no-lost-acks.ts';
import recoversWithin from '../../src/invariants/recovers-within.ts';
import stateParses from '../../src/invariants/state-parses.ts';
import { claimLock } from './claim-lock.ts';
import { knownDefects } from './known-defects.ts';
import { logIsComplete } from './log-is-complete.ts';
import { readLog } from './read.ts';
import { runIdOf } from './run-id.ts';
import { scenarios, WITHOUT_TOKEN_LOCK } from './scenarios.ts';

const NEWEST = '5.0.0-beta.46';

const subject = (version: string) => ({
  name: version,
  package: `@workflow/world-local@${version}`,
  knownDefects: knownDefects[version],
  ...(version !== NEWEST && { notApplicable: WITHOUT_TOKEN_LOCK }),
});

const control = { scenarios: ['kill-at-an-entity'], trials: 2 };

export default defineCampaign({
  name: 'world-local',
  title: 'A durable run on @workflow/world-local, as it is published.',
  kernel: { command: ['node', '{kernel}/kernel.ts'] },
  subjects: [NEWEST, '4.4.1', '5.0.0-beta.2', '5.0.0-beta.20'].map(subject),
  lock: claimLock,
  setup: ({ state, now_ms }) => writeFileSync(join(state, 'run-id'), runIdOf(now_ms)),
  read: ({ state }) => readLog(join(state, 'data')),
  scenarios,
  variants: [
    {
      name: 'tells-before-it-writes',
      edit: [
        {
          file: 'kernel.ts',
          from: '    const result = await world.events.create(',
          to: "    say(`ack ${[eventType, correlationId].filter(Boolean).join(' ')}`);\n    const result = await world.events.create(",
        },
      ],
      expect: { breaks: ['no-lost-acks'] },
      ...control,
    },
    {
      name: 'resumes-twice',
      edit: [{ file: 'kernel.ts', from: '    await resume();', to: '    await resume();\n    await resume();' }],
      expect: { breaks: ['no-duplicate-events'] },
      ...control,
    },
    {
      name: 'leaves-a-step-out',
      edit: [{ file: 'kernel.ts', from: "  if (!(await step('step_2'))) return 'suspended';\n", to: '' }],
      expect: { breaks: ['log-is-complete'] },
      ...control,
    },
    {
      name: 'dies-of-what-it-finds',
      edit: [
        {
          file: 'kernel.ts',
          from: '  if (!(await runExists()))',
          to: '  if (await runExists()) {\n    await sleep(20_000);\n    process.exit(9);\n  } else',
        },
      ],
      expect: { breaks: ['finishes'] },
      ...control,
    },
    {
      name: 'slow-to-start',
      edit: [{ file: 'kernel.ts', from: 'let inVain = 0;', to: 'let inVain = 0;\nawait sleep(20_000);' }],
      expect: { breaks: ['recovers-within'] },
      ...control,
    },
  ],
  invariants: [noLostAcks, noDuplicateEvents, stateParses, logIsComplete, finishes, recoversWithin],
  seeds: '1000-1007',
  robbed_reason: 'robbed',
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 15_000, deadline_ms: 45_000 } },
});
