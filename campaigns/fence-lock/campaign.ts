import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import killAnyTime from '../../scenarios/kill-any-time.ts';
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
import killedBeforeNaming from './scenarios/killed-before-naming.ts';
import killedHolder from './scenarios/killed-holder.ts';
import liveHolder from './scenarios/live-holder.ts';
import mixedVersions from './scenarios/mixed-versions.ts';
import otherHost from './scenarios/other-host.ts';
import pidInUseAgain from './scenarios/pid-in-use-again.ts';
import raceForADeadHoldersLock from './scenarios/race-for-a-dead-holders-lock.ts';
import rebootWhileLocked from './scenarios/reboot-while-locked.ts';
import sleepingReleaser from './scenarios/sleeping-releaser.ts';
import staleLock from './scenarios/stale-lock.ts';
import twoContainers from './scenarios/two-containers.ts';
import unreadableBootId from './scenarios/unreadable-boot-id.ts';
import upgradeAfterCrash from './scenarios/upgrade-after-crash.ts';

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
    { name: 'unnamed', env: { FENCE_LOCK: 'unnamed' } },
    { name: 'owner-file', env: { FENCE_LOCK: 'owner-file' } },
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
    raceForADeadHoldersLock,
    killedBeforeNaming,
    pidInUseAgain,
    otherHost,
    staleLock,
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
  timing: {
    sim: { ttl_ms: 30_000, recovers_within_ms: 50_000, deadline_ms: 100_000 },
    live: { ttl_ms: 2000, recovers_within_ms: 10_000, deadline_ms: 30_000 },
  },
});
