import type { DriverName, Timing } from '../campaign/campaign.ts';

/** So many times what the fault-free run took, a trial may take: it starts its sessions again and again. */
const GOLDEN_RUNS = 30;
/** What a busy machine may do between two trials, and the harness itself. */
const GRACE_MS = 30_000;

/** How long so many trials may take, in milliseconds of real time: set by the golden run, and on the real clock by the deadline of a trial. */
export function timeLimit(
  trials: number,
  { golden_ms, workers, driver, timing }: { golden_ms: number; workers: number; driver: DriverName; timing: Timing },
): number {
  const trial_ms = GOLDEN_RUNS * golden_ms + (driver === 'live' ? timing.deadline_ms : 0);
  return GRACE_MS + Math.ceil(trials / workers) * trial_ms;
}
