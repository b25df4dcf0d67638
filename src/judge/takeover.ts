import type { TrialRecord } from '../history/record.ts';
import { quantile } from '../stats/quantile.ts';
import type { RunFacts } from './run-summary.ts';
import { counted } from './summary.ts';

/** How long it takes until another has the lock of a session that was killed while it held it. */
export interface Takeover {
  subject: string;
  /** Kills that left the lock behind, and after which another was seen to get it. */
  kills: number;
  medianMs: number | null;
  /** The lease; null: an older run, which does not say. */
  ttlMs: number | null;
}

export function takeoversOf(real: TrialRecord[], { subjects, ttlMs }: Pick<RunFacts, 'subjects' | 'ttlMs'>): Takeover[] {
  const telling = counted(real);
  return subjects.map(({ name: subject }) => {
    const kills = telling.flatMap((record) => (record.subject === subject ? record.kills : []));
    const times = kills
      .flatMap(({ left_lock_behind, takeover_ms }) => (left_lock_behind ? (takeover_ms ?? []) : []))
      .toSorted((a, b) => a - b);
    return { subject, kills: times.length, medianMs: quantile(times, 0.5), ttlMs: ttlMs ?? null };
  });
}
