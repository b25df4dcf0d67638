import { actionOf } from '../history/fault-action.ts';
import type { LandedFault, TrialRecord } from '../history/record.ts';
import type { Window } from '../plan/plan.ts';
import { quantile } from '../stats/quantile.ts';
import { hadEffect } from './landed.ts';

export interface Tally {
  total: number;
  held: number;
  broken: number;
  void: number;
}

export interface Range {
  min: number | null;
  max: number | null;
}

/** Recovery times of kills, in milliseconds of trial time. A censored one enters with the time that it is known to exceed: then these are lower bounds. */
export interface Split {
  trials: number;
  recoveryMs: Range;
}

export interface Recovery {
  kills: number;
  /** Kills from which nobody was seen to recover. */
  censored: number;
  recoveryMs: { p50: number | null; p90: number | null; max: number | null };
  /** The trials that had a kill which left the lock behind, and the times of those kills. */
  leftLockBehind: Split;
  /** The trials that had kills, none of which left it behind. */
  otherwise: Split;
}

export interface HitRow {
  scenario: string;
  /** How many faults landed in each window. */
  windows: Partial<Record<Window, number>>;
  /** In how many trials at least one did: what quotas count. */
  trials: Partial<Record<Window, number>>;
  /** At which operations kills landed, most frequent first. */
  operations: { operation: string; kills: number }[];
}

export function tally(records: TrialRecord[]): Tally {
  const count = (verdict: TrialRecord['verdict']) => records.filter((record) => record.verdict === verdict).length;
  return { total: records.length, held: count('held'), broken: count('broken'), void: count('void') };
}

/** A void trial is not what it claims to be, so its kills and hits do not count either. */
export function counted(records: TrialRecord[]): TrialRecord[] {
  return records.filter(({ verdict }) => verdict !== 'void');
}

export function recoveryOf(records: TrialRecord[]): Recovery {
  const trials = counted(records).filter(({ kills }) => kills.length > 0);
  const kills = trials.flatMap((trial) => trial.kills);
  const times = timesOf(kills);
  const [behind, otherwise] = [true, false].map((isBehind) =>
    trials.filter((trial) => trial.kills.some(({ left_lock_behind }) => left_lock_behind) === isBehind),
  ) as [TrialRecord[], TrialRecord[]];
  return {
    kills: kills.length,
    censored: kills.filter(({ recovery_ms }) => recovery_ms === null).length,
    recoveryMs: { p50: round(quantile(times, 0.5)), p90: round(quantile(times, 0.9)), max: times.at(-1) ?? null },
    leftLockBehind: {
      trials: behind.length,
      recoveryMs: range(behind.flatMap((trial) => trial.kills.filter((kill) => kill.left_lock_behind))),
    },
    otherwise: { trials: otherwise.length, recoveryMs: range(otherwise.flatMap((trial) => trial.kills)) },
  };
}

/** The hit matrix, a row for each scenario. */
export function hitMatrix(scenarios: string[], records: TrialRecord[]): HitRow[] {
  return scenarios.map((scenario) => {
    const trials = counted(records).filter((record) => record.scenario === scenario);
    const operations = Map.groupBy(
      trials.flatMap(({ landed }) => landed.filter(isKill)),
      ({ operation }) => operation ?? 'between operations',
    );
    return {
      scenario,
      windows: addUp(trials.map(({ hits }) => hits)),
      trials: addUp(trials.map(({ hits }) => Object.fromEntries(Object.keys(hits).map((window) => [window, 1])))),
      operations: [...operations]
        .map(([operation, { length }]) => ({ operation, kills: length }))
        .toSorted((a, b) => b.kills - a.kills || (a.operation < b.operation ? -1 : 1)),
    };
  });
}

function isKill(fault: LandedFault): boolean {
  return hadEffect(fault) && kills(fault.fault);
}

/** Whether a fault, in its printed form, ends the session. */
export function kills(fault: string): boolean {
  return ['kill', 'tear', 'power-cut', 'reboot'].includes(actionOf(fault));
}

function timesOf(kills: TrialRecord['kills']): number[] {
  return kills.flatMap(({ recovery_ms, censored_ms }) => recovery_ms ?? censored_ms ?? []).toSorted((a, b) => a - b);
}

function range(kills: TrialRecord['kills']): Range {
  const times = timesOf(kills);
  return { min: times[0] ?? null, max: times.at(-1) ?? null };
}

function addUp(counts: Partial<Record<Window, number>>[]): Partial<Record<Window, number>> {
  const sum: Partial<Record<Window, number>> = {};
  for (const count of counts) for (const [window, n] of Object.entries(count) as [Window, number][]) sum[window] = (sum[window] ?? 0) + n;
  return sum;
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
