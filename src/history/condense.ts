import type { TrialRecord } from './record.ts';

/** So many different parts are remembered; those that come later are rarely shared. */
const SHARED_MAX = 10_000;

/**
 * Makes records small that are held by the hundred thousand: parts that many trials have in common are there once. What comes back is equal to what was given, has nothing to do with
 * the history that it was made of, and must not be changed.
 */
export function condenser(): (record: TrialRecord) => TrialRecord {
  const shared = new Map<string, unknown>();

  function share<T>(value: T): T {
    const key = JSON.stringify(value);
    if (key === undefined) return value;
    const known = shared.get(key);
    if (known !== undefined) return known as T;
    if (shared.size < SHARED_MAX) shared.set(key, value);
    return value;
  }

  /** Of records and the like, one by one; of values, what is the same as before. */
  function shareWithin<T extends object>(part: T): T {
    for (const [name, value] of Object.entries(part) as [keyof T, T[keyof T]][]) if (typeof value !== 'number') part[name] = share(value);
    return part;
  }

  return (record) => {
    const { id, digest, plan, landed, kills, violations, ...rest } = JSON.parse(JSON.stringify(record)) as TrialRecord;
    return {
      id,
      digest,
      plan,
      landed: landed.map(shareWithin),
      kills: kills.map(shareWithin),
      violations,
      ...shareWithin(rest),
    };
  };
}
