import type { TrialRecord } from '../history/record.ts';
import { hadEffect } from '../judge/landed.ts';

/** What a comparison keeps of a trial's record: of 10⁵ records there is no room for more. */
export interface Outcome {
  scenario: string;
  seed: number;
  plan: string;
  verdict: TrialRecord['verdict'];
  /** Whether some fault had its effect, and whether one had it while the session held the lock. */
  landed: boolean;
  landedWhileHeld: boolean;
  /** Ended by somebody outside the trial. */
  isDisturbed: boolean;
  /** Measured on a machine that was too busy for its recovery times. */
  isLoaded: boolean;
  /** Did something that the sim driver does not control. */
  isNondeterministic: boolean;
  kills: number;
  /** Whether some kill left the lock behind. */
  leftLockBehind: boolean;
  /** From the kill that was recovered from last of all; null: from one of them nobody was seen to recover, or there was none. */
  recoveryMs: number | null;
  /** Given when a kill was not recovered from: how long nobody was seen to. */
  censoredMs: number | null;
  durationMs: number;
  /** Null in older records. */
  deadlineMs: number | null;
  events: number;
  operations: number;
  /** Null in older records. */
  operationsByKind: Record<string, number> | null;
  acquisitions: number | null;
}

/**
 * A trial's recovery time is the longest of its kills': of a loop of kills that nobody recovers from in between, it is the whole time that the program was down.
 */
export function outcomeOf(record: TrialRecord): Outcome {
  const { scenario, seed, plan, verdict, kills } = record;
  const landed = record.landed.filter(hadEffect);
  const censored = kills.filter(({ recovery_ms }) => recovery_ms === null);
  return {
    scenario,
    seed,
    plan,
    verdict,
    landed: landed.length > 0,
    landedWhileHeld: landed.some(({ windows }) => windows.includes('holding')),
    isDisturbed: record.ends.some(({ how }) => how === 'foreign-kill'),
    isLoaded: record.loaded !== undefined,
    isNondeterministic: record.nondeterministic.length > 0,
    kills: kills.length,
    leftLockBehind: kills.some(({ left_lock_behind }) => left_lock_behind),
    recoveryMs: kills.length === 0 || censored.length > 0 ? null : Math.max(...kills.map(({ recovery_ms }) => recovery_ms as number)),
    censoredMs: censored.length === 0 ? null : Math.max(...censored.map(({ censored_ms }) => censored_ms ?? 0)),
    durationMs: record.duration_ms,
    deadlineMs: record.deadline_ms ?? null,
    events: record.events,
    operations: record.operations,
    operationsByKind: record.operations_by_kind ?? null,
    acquisitions: record.acquisitions ?? null,
  };
}
