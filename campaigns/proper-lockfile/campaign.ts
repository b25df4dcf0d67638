import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const STALE_REMOVAL = 'https://github.com/moxystudio/node-proper-lockfile/issues/121';

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
        // `unlock` removes whatever is there, without a look at whether it is what was made: who slept past its lease frees its successor's lock.
        {
          invariant: 'no-foreign-release',
          site: 'rmdir ledger.lock by one that had lost it',
          source:
            '`unlock` in lib/lockfile.js of 4.1.2; "it would be bad to delete the lock in that situation": its maintainer in pull request 86',
        },
        // Who slept past its lease before it had stamped its new lock, or between the stamp and the look at it, takes the one that its successor has made meanwhile for its own.
        // So `lock` resolves while another holds the lock under a good lease. The README says that updates that take so long are detected; but it is the successor, if any, that is told.
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
  read({ state }) {
    const ledger = join(state, 'ledger');
    const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
    const events = lines.flatMap((line, index) => {
      const [, id = '', session] = /^(\S+) (\S+) \.$/.exec(line) ?? [];
      return id === '' ? [] : { id, ref: `ledger:${index + 1}`, session };
    });
    return { events, work: [], unreadable: [], debris: [] };
  },
  scenarios: [killAnywhere, killWhileHolding, contend],
  // The package has no fencing token, so it can't keep a holder that slept past its lease from writing: what such a write does is not held against it.
  invariants: [noLostAcks, oneHolderAtATime, noForeignRelease, finishes, recoversWithin],
  seeds: '1000-1029',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 70_000, deadline_ms: 300_000 } },
});
