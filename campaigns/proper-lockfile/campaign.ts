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
        { invariant: 'one-holder-at-a-time', source: 'https://github.com/moxystudio/node-proper-lockfile/issues/121' },
        // The removal of a stale lock there, and in `unlock` the one of a lock that nobody looks at again.
        {
          invariant: 'no-foreign-release',
          source: 'https://github.com/moxystudio/node-proper-lockfile/issues/121, and `unlock` in lib/lockfile.js of 4.1.2',
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
