import killAnywhere from '../../../scenarios/kill-anywhere.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import finishes from '../../../src/invariants/finishes.ts';
import noLostAcks from '../../../src/invariants/no-lost-acks.ts';
import { noLock } from '../../../src/locks/no-lock.ts';
import museumCase from './case.ts';
import { readSettings } from './read.ts';

const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

export default defineCampaign({
  name: 'electron-store-21',
  title: 'An application changes its settings with conf, which is what electron-store keeps them in.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'] },
  subjects: [
    {
      name: 'conf@1.1.2',
      package: 'conf@1.1.2',
      packageLock: '../packages.lock.json',
      knownDefects: [{ invariant: 'no-lost-acks', source }],
    },
    { name: 'conf@1.2.0', package: 'conf@1.2.0', packageLock: '../packages.lock.json' },
  ],
  lock: noLock,
  read: readSettings,
  scenarios: [killAnywhere],
  invariants: [noLostAcks, finishes],
  seeds: '1-20',
  robbed_reason: 'robbed',
  timing: { sim: timing, live: timing },
});
