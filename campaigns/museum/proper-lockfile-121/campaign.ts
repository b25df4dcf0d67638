import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import pauseWhileAcquiring from '../../../scenarios/pause-while-acquiring.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import oneHolderAtATime from '../../../src/invariants/one-holder-at-a-time.ts';
import { properLockfile } from '../../../src/locks/proper-lockfile.ts';
import { readLedger } from '../../proper-lockfile/read.ts';
import museumCase from './case.ts';

const LOCK = 'ledger.lock';
const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

export default defineCampaign({
  name: 'proper-lockfile-121',
  title: 'Sessions share a ledger under a lock of the npm package proper-lockfile; a process that died long ago has left its lock behind.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'], env: { STALE_MS: '{ttl_ms}' } },
  subjects: [
    {
      name: 'proper-lockfile@4.1.2',
      package: 'proper-lockfile@4.1.2',
      packageLock: '../packages.lock.json',
      knownDefects: [{ invariant: 'one-holder-at-a-time', source }],
    },
  ],
  lock: properLockfile(LOCK),
  setup({ state, now_ms, ttl_ms }) {
    const left_s = (now_ms - 10 * ttl_ms) / 1000;
    mkdirSync(join(state, LOCK));
    utimesSync(join(state, LOCK), left_s, left_s);
  },
  read: readLedger,
  scenarios: [pauseWhileAcquiring],
  invariants: [oneHolderAtATime],
  seeds: '1-20',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: timing, live: timing },
});
