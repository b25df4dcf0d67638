import type { Delay } from '../driver/world.ts';
import type { KillRecord, TrialRecord } from '../history/record.ts';

/** Recoveries that were delayed by more than this share of the lease say more of the machine than of the kernel. */
export const DELAY_SHARE_MAX = 0.1;

/**
 * Whether the machine was too busy for a trial's recovery times, and by how much they may be too long: what one session waited for a processor from a kill until somebody had recovered,
 * or what the harness was late for one look. Null: it was not, or there was nothing to recover from. Pure.
 */
export function loadedOf(
  kills: Pick<KillRecord, 't_ms' | 'recovery_ms' | 'censored_ms'>[],
  delays: Delay[],
  ttl_ms: number,
): TrialRecord['loaded'] | null {
  const worst = kills.map(({ t_ms, recovery_ms, censored_ms }) => {
    const until_ms = t_ms + (recovery_ms ?? censored_ms ?? 0);
    const within = Map.groupBy(
      delays.filter((delay) => delay.t_ms > t_ms && delay.t_ms <= until_ms),
      ({ session }) => session,
    );
    // A session is as late as all its delays together; of the harness's looks, only the one that sees the recovery is late for it.
    return [...within].map(([session, its]) =>
      its.reduce((ms, { delay_ms }) => (session === null ? Math.max(ms, delay_ms) : ms + delay_ms), 0),
    );
  });
  const delay_ms = Math.max(0, ...worst.flat());
  return delay_ms > ttl_ms * DELAY_SHARE_MAX ? { delay_ms: Math.round(delay_ms) } : null;
}

/** How many of these trials that was so in, and the longest delay; null: in none. */
export function loadOf(records: Pick<TrialRecord, 'loaded'>[]): { trials: number; delayMs: number } | null {
  const delays = records.flatMap(({ loaded }) => loaded?.delay_ms ?? []);
  return delays.length === 0 ? null : { trials: delays.length, delayMs: delays.reduce((a, b) => Math.max(a, b)) };
}
