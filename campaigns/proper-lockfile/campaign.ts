import contend from '../../scenarios/contend.ts';
import killAnywhere from '../../scenarios/kill-anywhere.ts';
import killWhileHolding from '../../scenarios/kill-while-holding.ts';
import { defineCampaign } from '../../src/campaign/define.ts';
import finishes from '../../src/invariants/finishes.ts';
import noForeignRelease from '../../src/invariants/no-foreign-release.ts';
import noLostAcks from '../../src/invariants/no-lost-acks.ts';
import oneHolderAtATime from '../../src/invariants/one-holder-at-a-time.ts';
import recoversWithin from '../../src/invariants/recovers-within.ts';
import { properLockfile } from '../../src/locks/proper-lockfile.ts';
import { readLedger } from './read.ts';

const STALE_REMOVAL = 'https://github.com/moxystudio/node-proper-lockfile/issues/121';
const RELEASE = '`unlock` in lib/lockfile.js of 4.1.2; https://github.com/moxystudio/node-proper-lockfile/pull/86';

export default defineCampaign({
  name: 'proper-lockfile',
  title: 'Sessions share a ledger under a lock of the npm package proper-lockfile, as it is published.',
  kernel: {
    command: ['node', '{kernel}/kernel.mjs'],
    env: { STALE_MS: '{ttl_ms}' },
  },
  subjects: [
    {
      name: 'proper-lockfile@4.1.2',
      knownDefects: [
        // Between the look at a stale lock and its removal another removes it and makes its own, which is removed then.
        { invariant: 'one-holder-at-a-time', site: 'acquired the lock after removing that of the holder', source: STALE_REMOVAL },
        { invariant: 'no-foreign-release', site: 'rmdir ledger.lock by one that wanted it', source: STALE_REMOVAL },
        // `unlock` removes whatever is there: who slept past its lease frees its successor's lock, and is told that it released its own. By the README release fails for a lock that was
        // compromised; that to delete it would be bad is said in the pull request.
        {
          invariant: 'no-foreign-release',
          site: 'rmdir ledger.lock by one that had lost it',
          source: RELEASE,
        },
        // What follows from either, when a third session waits for the lock.
        {
          invariant: 'one-holder-at-a-time',
          site: 'acquired the lock after a third session had removed that of the holder',
          source: `${STALE_REMOVAL}, or ${RELEASE}`,
        },
        // `lock` makes a directory, stamps it, and takes the time that it then reads for that of its own stamp. Who sleeps past its lease amid that stamps, or reads, what its successor made
        // meanwhile, and is told that it holds the lock while its successor holds it under a good lease. It was promised nothing before; but by the README an update that takes so long is
        // detected, and here it never is: each of its looks at the lock finds its own stamp, and it is the successor that is told of having lost it.
        {
          invariant: 'one-holder-at-a-time',
          site: 'entered the critical section',
          source:
            '`probe` in lib/mtime-precision.js of 4.1.2; remarked on in a review: https://github.com/modelcontextprotocol/inspector/pull/2088',
        },
      ],
    },
  ],
  lock: properLockfile('ledger.lock'),
  read: readLedger,
  scenarios: [killAnywhere, killWhileHolding, contend],
  // The package has no fencing token, so it can't keep a holder that slept past its lease from writing: what such a write does is not held against it.
  invariants: [noLostAcks, oneHolderAtATime, noForeignRelease, finishes, recoversWithin],
  seeds: '1000-1029',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 70_000, deadline_ms: 300_000 } },
});
