import pausePastLease from '../../../scenarios/pause-past-lease.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import noWriteAfterTheft from '../../../src/invariants/no-write-after-theft.ts';
import { properLockfile } from '../../../src/locks/proper-lockfile.ts';
import { readLedger } from '../../proper-lockfile/read.ts';
import museumCase from './case.ts';

const { source, bug } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

export default defineCampaign({
  name: 'proper-lockfile-robbed-holder',
  title: 'Sessions share a ledger under a lock of the npm package proper-lockfile, and its holder sleeps past its lease.',
  kernel: {
    directory: '../proper-lockfile-121',
    files: ['kernel.mjs'],
    command: ['node', '{kernel}/kernel.mjs'],
    env: { STALE_MS: '{ttl_ms}' },
  },
  subjects: [
    {
      name: 'proper-lockfile@4.1.2',
      package: 'proper-lockfile@4.1.2',
      packageLock: '../packages.lock.json',
      knownDefects: bug.map((defect) => ({ ...defect, source })),
    },
  ],
  lock: properLockfile('ledger.lock'),
  read: readLedger,
  scenarios: [pausePastLease],
  invariants: [noWriteAfterTheft],
  seeds: '1-20',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: timing, live: timing },
});
