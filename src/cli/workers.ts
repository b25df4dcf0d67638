import { availableParallelism } from 'node:os';
import type { DriverName } from '../campaign/campaign.ts';

/** A live trial mostly waits, for a lease or for the kernel's own pace; a simulated one never does. */
const LIVE_TRIALS_PER_PROCESSOR = 2;

export const WORKERS_DEFAULT = `default: one per processor, under live ${LIVE_TRIALS_PER_PROCESSOR}`;

/** How many trials run at once when nobody says. */
export function defaultWorkers(driver: DriverName): number {
  return availableParallelism() * (driver === 'live' ? LIVE_TRIALS_PER_PROCESSOR : 1);
}
