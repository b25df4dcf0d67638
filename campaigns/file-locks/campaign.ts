import { defineCampaign } from '../../src/campaign/define.ts';
import finishes from '../../src/invariants/finishes.ts';
import noForeignRelease from '../../src/invariants/no-foreign-release.ts';
import noLostAcks from '../../src/invariants/no-lost-acks.ts';
import oneHolderAtATime from '../../src/invariants/one-holder-at-a-time.ts';
import recoversWithin from '../../src/invariants/recovers-within.ts';
import { properLockfile } from '../../src/locks/proper-lockfile.ts';
import { readLedger } from '../proper-lockfile/read.ts';
import { emptyFile, exclTtl, flock, LOCK, pidFile } from './adapters.ts';
import { exclTtlDefects, lockfileDefects, pidFileDefects, properLockfileDefects } from './known-defects.ts';
import { scenarios } from './scenarios.ts';

const REMOVES_BY_RMDIR = { 'late-unlink': 'it removes a lock by rmdir' };
const REMOVES_BY_UNLINK = { 'late-rmdir': 'it removes a lock by unlink' };
const HAS_NO_LEASE = { 'pause-past-lease': 'it has no lease: nobody takes over from a living holder' };

export default defineCampaign({
  name: 'file-locks',
  title: 'Five locks of one family under the same faults: sessions share a ledger.',
  kernel: { command: ['node', '{kernel}/kernel.mjs'], env: { STALE_MS: '{ttl_ms}' } },
  subjects: [
    {
      name: 'proper-lockfile@4.1.2',
      package: 'proper-lockfile@4.1.2',
      env: { LOCK: 'proper-lockfile' },
      lock: properLockfile(LOCK),
      notApplicable: REMOVES_BY_RMDIR,
      knownDefects: properLockfileDefects,
    },
    {
      name: 'lockfile@1.0.4',
      package: 'lockfile@1.0.4',
      env: { LOCK: 'lockfile' },
      lock: emptyFile,
      notApplicable: REMOVES_BY_UNLINK,
      knownDefects: lockfileDefects,
    },
    {
      name: 'pid-file',
      env: { LOCK: 'pid-file' },
      lock: pidFile,
      notApplicable: { ...REMOVES_BY_UNLINK, ...HAS_NO_LEASE },
      knownDefects: pidFileDefects,
    },
    { name: 'excl-ttl', env: { LOCK: 'excl-ttl' }, lock: exclTtl, notApplicable: REMOVES_BY_UNLINK, knownDefects: exclTtlDefects },
    {
      name: 'flock',
      package: 'fs-native-extensions@1.5.1',
      env: { LOCK: 'flock' },
      lock: flock,
      notApplicable: { 'late-rmdir': 'its file stays', 'late-unlink': 'its file stays', ...HAS_NO_LEASE },
    },
  ],
  lock: properLockfile(LOCK),
  read: readLedger,
  scenarios,
  variants: [
    {
      name: 'without-lock',
      edit: [{ file: 'kernel.mjs', from: 'const release = await acquire(', to: 'const release = async () => {};\nvoid (' }],
      expect: { breaks: ['one-holder-at-a-time'] },
      scenarios: ['contend'],
      trials: 2,
    },
    {
      name: 'never-stale',
      edit: [{ file: 'locks/proper-lockfile.mjs', from: 'stale: stale_ms', to: 'stale: 1000 * stale_ms' }],
      expect: { breaks: ['recovers-within'] },
      scenarios: ['kill-while-holding'],
      trials: 2,
    },
    {
      name: 'tells-before-it-writes',
      edit: [{ file: 'kernel.mjs', from: '  append(`${session}', to: '  say(`ack ${session}.${n}`);\n  append(`${session}' }],
      expect: { breaks: ['no-lost-acks'] },
      scenarios: ['kill-while-holding'],
      trials: 2,
    },
    {
      name: 'barges-in',
      edit: [
        {
          file: 'locks/proper-lockfile.mjs',
          from: '  return lockfile.lock(',
          to: '  rmSync(path, { recursive: true, force: true });\n  return lockfile.lock(',
        },
        { file: 'locks/proper-lockfile.mjs', from: '// @ts-expect-error', to: "import { rmSync } from 'node:fs';\n// @ts-expect-error" },
      ],
      expect: { breaks: ['no-foreign-release'] },
      scenarios: ['contend'],
      trials: 2,
    },
    {
      name: 'dies-quietly',
      edit: [{ file: 'kernel.mjs', from: "say('enter');", to: "if (session !== 's1') process.exit(7);\nsay('enter');" }],
      expect: { breaks: ['finishes'] },
      scenarios: ['kill-while-holding'],
      trials: 2,
    },
  ],
  // None of them has a fencing token, so none can keep a holder that slept past its lease from writing: what such a write does is not held against it.
  invariants: [noLostAcks, oneHolderAtATime, noForeignRelease, finishes, recoversWithin],
  seeds: '1000-1011',
  robbed_reason: 'lock-stolen-mid-run',
  timing: { sim: { ttl_ms: 30_000, recovers_within_ms: 70_000, deadline_ms: 120_000 } },
});
