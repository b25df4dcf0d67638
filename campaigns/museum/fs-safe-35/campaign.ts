import pauseWhileAcquiring from '../../../scenarios/pause-while-acquiring.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import oneHolderAtATime from '../../../src/invariants/one-holder-at-a-time.ts';
import { readLedger } from '../../proper-lockfile/read.ts';
import museumCase from './case.ts';
import { leaveBehind, sidecarLock } from './sidecar-lock.ts';

const packageLock = '../packages.lock.json';
const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

export default defineCampaign({
  name: 'fs-safe-35',
  title:
    'Sessions share a ledger under a lock of the npm package @openclaw/fs-safe; a process that died long ago has left its lock behind.',
  kernel: { files: ['kernel.mjs'], command: ['node', '{kernel}/kernel.mjs'], env: { STALE_MS: '{ttl_ms}' } },
  subjects: [
    {
      name: 'openclaw-fs-safe@0.4.1',
      package: '@openclaw/fs-safe@0.4.1',
      packageLock,
      knownDefects: [{ invariant: 'one-holder-at-a-time', source }],
    },
    { name: 'openclaw-fs-safe@0.4.7', package: '@openclaw/fs-safe@0.4.7', packageLock },
  ],
  lock: sidecarLock,
  setup: leaveBehind,
  read: readLedger,
  scenarios: [pauseWhileAcquiring],
  invariants: [oneHolderAtATime],
  seeds: '1-20',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: timing, live: timing },
});
