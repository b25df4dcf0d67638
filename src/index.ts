/**
 * The public API: what a campaign file imports from `crash-campaign`.
 *
 *     import { defineCampaign, killAnywhere, stealLock } from 'crash-campaign';
 *     export default defineCampaign({ name: 'my-kernel', … });
 */
export { default as contend } from '../scenarios/contend.ts';
export { default as crashLoop } from '../scenarios/crash-loop.ts';
export { default as cutConnection } from '../scenarios/cut-connection.ts';
export { default as damageLock } from '../scenarios/damage-lock.ts';
export { default as failingDisk } from '../scenarios/failing-disk.ts';
export { default as killAnywhere } from '../scenarios/kill-anywhere.ts';
export { default as killAtEvent } from '../scenarios/kill-at-event.ts';
export { default as killDuringRecovery } from '../scenarios/kill-during-recovery.ts';
export { default as killDuringTakeover } from '../scenarios/kill-during-takeover.ts';
export { default as killWhileHolding } from '../scenarios/kill-while-holding.ts';
export { default as partition } from '../scenarios/partition.ts';
export { default as pauseAtRelease } from '../scenarios/pause-at-release.ts';
export { default as pausePastLease } from '../scenarios/pause-past-lease.ts';
export { default as pausePastLeaseAlone } from '../scenarios/pause-past-lease-alone.ts';
export { default as pauseWhileAcquiring } from '../scenarios/pause-while-acquiring.ts';
export { default as pauseWhileHolding } from '../scenarios/pause-while-holding.ts';
export { default as powerCut } from '../scenarios/power-cut.ts';
export { default as powerCutAfterKill } from '../scenarios/power-cut-after-kill.ts';
export { default as raceForTheLock } from '../scenarios/race-for-the-lock.ts';
export { default as serviceRestart } from '../scenarios/service-restart.ts';
export { default as slowNetwork } from '../scenarios/slow-network.ts';
export { default as stallBesideAnother } from '../scenarios/stall-beside-another.ts';
export { default as stallDuringTakeover } from '../scenarios/stall-during-takeover.ts';
export { default as stealAtRelease } from '../scenarios/steal-at-release.ts';
export { default as stealLock } from '../scenarios/steal-lock.ts';
export { default as takeoverAfterExpiry } from '../scenarios/takeover-after-expiry.ts';
export { default as tornWrite } from '../scenarios/torn-write.ts';
export type * from './campaign/campaign.ts';
export { CampaignError } from './campaign/campaign-error.ts';
export { defineCampaign } from './campaign/define.ts';
export { everyLine } from './campaign/every-line.ts';
export { type Comparison, compareSides } from './compare/compare.ts';
export type { Decision, Margin } from './compare/margin.ts';
export type { Side } from './compare/pair.ts';
export { type ComparedRun, readRun } from './compare/read-run.ts';
export type * from './history/history.ts';
export type * from './history/record.ts';
export { allInvariants } from './invariants/all.ts';
export type * from './invariants/invariant.ts';
export { claimLease } from './locks/claim-lease.ts';
export { etcdLease } from './locks/etcd-lease.ts';
export type * from './locks/lock.ts';
export { noLock } from './locks/no-lock.ts';
export { postgresAdvisory } from './locks/postgres-advisory.ts';
export { postgresRow } from './locks/postgres-row.ts';
export { properLockfile } from './locks/proper-lockfile.ts';
export { redisLock } from './locks/redis-lock.ts';
/** To compose a scenario of one's own. */
export * as arbitraries from './plan/arbitraries.ts';
export { noFaults } from './plan/no-faults.ts';
export { PlanError, parsePlan } from './plan/parse.ts';
export type * from './plan/plan.ts';
export { printPlan } from './plan/print.ts';
export type * from './plan/scenario.ts';
/** For random choices of a campaign's own, e.g. in `setup`. */
export { stream } from './random/stream.ts';
