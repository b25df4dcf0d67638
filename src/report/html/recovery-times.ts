import type { TrialRecord } from '../../history/record.ts';
import { counted } from '../../judge/summary.ts';

/** What became of one kill. Times in milliseconds of trial time. */
export interface RecoveryTime {
  scenario: string;
  seed: number;
  leftBehind: boolean;
  time: number;
  /** False: the trial ended before anybody was seen to recover, so that it is longer than `time`. */
  observed: boolean;
  /** How much of it was spent waiting for the dead holder's lease. */
  floor: number;
}

/** The recovery times of each subject as it is, in the order of the records. */
export function recoveryTimes(records: TrialRecord[]): Map<string, RecoveryTime[]> {
  const times = new Map<string, RecoveryTime[]>();
  for (const { subject, variant, scenario, seed, kills } of counted(records)) {
    if (variant !== null || kills.length === 0) continue;
    const own = times.get(subject) ?? [];
    times.set(subject, own);
    for (const kill of kills)
      own.push({
        scenario,
        seed,
        leftBehind: kill.left_lock_behind,
        time: kill.recovery_ms ?? kill.censored_ms ?? 0,
        observed: kill.recovery_ms !== null,
        floor: kill.ttl_floor_ms,
      });
  }
  return times;
}

/** Every so-and-so-many-th of the items, first and last included, when there are more than `most`. */
export function sampled<T>(items: T[], most: number): T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))] as T);
}
