import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineCampaign } from '../../src/campaign/define.ts';
import finishes from '../../src/invariants/finishes.ts';
import noDuplicateEvents from '../../src/invariants/no-duplicate-events.ts';
import noForeignRelease from '../../src/invariants/no-foreign-release.ts';
import noLostAcks from '../../src/invariants/no-lost-acks.ts';
import oneHolderAtATime from '../../src/invariants/one-holder-at-a-time.ts';
import stateParses from '../../src/invariants/state-parses.ts';
import { fenceLockAdapter } from './fence-lock-adapter.ts';
import nextWriteInTime from './next-write-in-time.ts';
import oneWritePerCount from './one-write-per-count.ts';
import { readRun } from './read.ts';
import downgradeAfterCrash from './scenarios/downgrade-after-crash.ts';
import eightWritersRace from './scenarios/eight-writers-race.ts';
import killAnyTime from './scenarios/kill-any-time.ts';
import killedBeforeNaming from './scenarios/killed-before-naming.ts';
import killedHolder from './scenarios/killed-holder.ts';
import liveHolder from './scenarios/live-holder.ts';
import mixedVersions from './scenarios/mixed-versions.ts';
import otherHost from './scenarios/other-host.ts';
import pidInUseAgain from './scenarios/pid-in-use-again.ts';
import rebootWhileLocked from './scenarios/reboot-while-locked.ts';
import sleepingReleaser from './scenarios/sleeping-releaser.ts';
import staleLock from './scenarios/stale-lock.ts';
import twoContainers from './scenarios/two-containers.ts';
import twoRemovers from './scenarios/two-removers.ts';
import unreadableBootId from './scenarios/unreadable-boot-id.ts';
import upgradeAfterCrash from './scenarios/upgrade-after-crash.ts';

/** The review of the second lock: an older writer that meets a stale lock with a name in it. */
const NAMES = 'https://github.com/vercel/workflow/pull/4908';
const RELEASE = '`unlock` in lib/lockfile.js of proper-lockfile 4.1.2; https://github.com/moxystudio/node-proper-lockfile/pull/86';

const STALE_REMOVAL = 'https://github.com/moxystudio/node-proper-lockfile/issues/121';
const NO_NAMES = 'it puts no names into the lock';

export default defineCampaign({
  name: 'fence-lock',
  title:
    'Durable sessions write the events of a run in band, under one of three locks: unnamed, with its holder’s name, with an owner file.',
  kernel: {
    directory: 'kernel',
    command: ['node', '{kernel}/session.ts', '{state}'],
    env: { STALE_MS: '{ttl_ms}' },
  },
  // The second lock is the reference: what its names are for, the controls take away.
  subjects: [
    { name: 'named', env: { FENCE_LOCK: 'named' } },
    {
      name: 'unnamed',
      env: { FENCE_LOCK: 'unnamed' },
      notApplicable: { 'two-removers': NO_NAMES },
      knownDefects: [
        // It takes the directory for empty, as its own is.
        ...['mixed-versions', 'downgrade-after-crash'].map((scenario) => ({
          invariant: 'next-write-in-time',
          scenario,
          site: 'rmdir of the lock fails with ENOTEMPTY',
          source: NAMES,
        })),
        { invariant: 'finishes', scenario: 'downgrade-after-crash', site: 'given up after a kill while holding', source: NAMES },
        {
          invariant: 'no-foreign-release',
          scenario: 'sleeping-releaser',
          site: 'rmdir .locks/runs/run-1.in-band.lock by one that had lost it',
          source: RELEASE,
        },
        // Two see that the lock is stale, and the second removes what the first has made. Then both write under one number, and more come in when they give back what is not their own.
        ...['one-holder-at-a-time', 'no-foreign-release', 'one-write-per-count', 'no-lost-acks'].map((invariant) => ({
          invariant,
          scenario: 'stale-lock',
          source: STALE_REMOVAL,
        })),
      ],
    },
    { name: 'owner-file', env: { FENCE_LOCK: 'owner-file' }, notApplicable: { 'two-removers': NO_NAMES } },
  ],
  lock: fenceLockAdapter,
  read: readRun,
  setup({ state }) {
    for (const name of ['.locks/runs', 'events', 'tmp']) mkdirSync(join(state, name), { recursive: true });
  },
  scenarios: [
    killAnyTime,
    killedHolder,
    liveHolder,
    eightWritersRace,
    killedBeforeNaming,
    pidInUseAgain,
    otherHost,
    staleLock,
    twoRemovers,
    sleepingReleaser,
    twoContainers,
    unreadableBootId,
    rebootWhileLocked,
    mixedVersions,
    downgradeAfterCrash,
    upgradeAfterCrash,
  ],
  invariants: [noDuplicateEvents, noLostAcks, oneWritePerCount, oneHolderAtATime, noForeignRelease, stateParses, nextWriteInTime, finishes],
  seeds: '1000-1029',
  robbed_reason: 'lock-stolen-mid-run',
  variants: [
    {
      name: 'without-fence',
      strip: ['fence'],
      expect: { breaks: ['one-write-per-count'] },
      scenarios: ['eight-writers-race'],
      trials: 1,
    },
    {
      name: 'killed-are-not-counted',
      strip: ['counts-the-killed'],
      expect: { breaks: ['one-write-per-count'] },
      scenarios: ['killed-holder'],
      trials: 3,
    },
    {
      name: 'waits-for-the-dead',
      replace: { liveness: '  return pid < 0;' },
      expect: { breaks: ['next-write-in-time'] },
      scenarios: ['killed-holder'],
      trials: 1,
    },
    {
      name: 'takes-the-living-for-dead',
      replace: { liveness: '  return pid > 0;' },
      expect: { breaks: ['one-holder-at-a-time'] },
      scenarios: ['live-holder'],
      trials: 1,
    },
    {
      name: 'without-pid-namespace',
      edit: [{ file: 'this-host.ts', from: 'bootId(), pidNamespace()', to: 'bootId()' }],
      expect: { breaks: ['one-holder-at-a-time'] },
      scenarios: ['two-containers'],
      trials: 3,
    },
    {
      name: 'unreadable-is-alike',
      edit: [{ file: 'this-host.ts', from: "randomBytes(16).toString('hex')", to: "''" }],
      expect: { breaks: ['next-write-in-time'] },
      scenarios: ['unreadable-boot-id'],
      trials: 4,
    },
    {
      name: 'releases-whatever-is-there',
      replace: { 'own-name-only': '      for (const any of namesIn(path)) remove(join(path, any));' },
      expect: { breaksAny: ['no-foreign-release', 'one-holder-at-a-time'] },
      scenarios: ['sleeping-releaser'],
      trials: 1,
    },
    {
      name: 'leaves-stale-names',
      strip: ['stale-names'],
      expect: { breaks: ['next-write-in-time'] },
      scenarios: ['other-host'],
      trials: 1,
    },
    {
      name: 'removes-every-name-it-finds',
      replace: { 'stale-names': '      for (const any of namesIn(path)) remove(join(path, any));' },
      expect: { breaks: ['one-holder-at-a-time'] },
      scenarios: ['two-removers'],
      trials: 1,
    },
  ],
  timing: {
    sim: { ttl_ms: 30_000, recovers_within_ms: 50_000, deadline_ms: 100_000 },
    live: { ttl_ms: 30_000, recovers_within_ms: 50_000, deadline_ms: 120_000 },
  },
});
