import pausePastLeaseAlone from '../../../scenarios/pause-past-lease-alone.ts';
import { defineCampaign } from '../../../src/campaign/define.ts';
import { properLockfile } from '../../../src/locks/proper-lockfile.ts';
import { readLedger } from '../../proper-lockfile/read.ts';
import museumCase from './case.ts';
import noFalseAlarm from './no-false-alarm.ts';

const packageLock = '../packages.lock.json';
const { source } = museumCase;
const timing = { ttl_ms: 5_000, recovers_within_ms: 20_000, deadline_ms: 60_000 };

export default defineCampaign({
  name: 'proper-lockfile-71',
  title: 'A session works under a lock of the npm package proper-lockfile, sleeps past its lease, and wakes up with nobody else there.',
  kernel: {
    directory: '../proper-lockfile-121',
    files: ['kernel.mjs'],
    command: ['node', '{kernel}/kernel.mjs'],
    env: { STALE_MS: '{ttl_ms}' },
  },
  subjects: [
    {
      name: 'proper-lockfile@3.2.0',
      package: 'proper-lockfile@3.2.0',
      packageLock,
      knownDefects: [{ invariant: 'no-false-alarm', source }],
    },
    { name: 'proper-lockfile@4.1.2', package: 'proper-lockfile@4.1.2', packageLock },
  ],
  lock: properLockfile('ledger.lock'),
  read: readLedger,
  scenarios: [pausePastLeaseAlone],
  invariants: [noFalseAlarm],
  seeds: '1-20',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: timing, live: timing },
});
