import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import killAtEvent from '../../../scenarios/kill-at-event.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import finishes from '../../../src/invariants/finishes.ts';
import { noLock } from '../../../src/locks/no-lock.ts';
import museumCase from './case.ts';

const { source } = museumCase;

export default defineCampaign({
  name: 'better-queue-65',
  title: 'Jobs are worked off from a queue of better-queue, which is kept in SQLite.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'] },
  subjects: [
    {
      name: 'better-queue@3.8.12',
      package: ['better-queue@3.8.12', 'better-queue-sqlite@1.0.7'],
      packageLock: '../packages.lock.json',
      installScripts: true,
      knownDefects: [{ invariant: 'finishes', source }],
    },
  ],
  lock: noLock,
  read({ state }) {
    const ledger = join(state, 'ledger');
    const jobs = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
    return { events: jobs.map((id, index) => ({ id, ref: `ledger:${index + 1}` })), work: [], unreadable: [], debris: [] };
  },
  scenarios: [killAtEvent],
  invariants: [finishes],
  seeds: '1-20',
  robbed_reason: 'robbed',
  timing: { live: { ttl_ms: 1_000, recovers_within_ms: 30_000, deadline_ms: 60_000 } },
});
