import { availableParallelism } from 'node:os';
import type { Campaign, DriverName } from '../campaign/campaign.ts';

/** A live trial mostly waits, for a lease or for the kernel's own pace; a simulated one never does. */
const LIVE_TRIALS_PER_PROCESSOR = 2;
/** Where a service keeps the lock, the state is looked at less often, and leases are of seconds. */
const SERVICE_TRIALS_PER_PROCESSOR = 8;

export const WORKERS_DEFAULT = `default: one per processor, under live ${LIVE_TRIALS_PER_PROCESSOR}, with services ${SERVICE_TRIALS_PER_PROCESSOR}`;

/** How many trials run at once when nobody says. */
export function defaultWorkers(driver: DriverName, { subjects = [] }: Pick<Campaign, 'subjects'> = {}): number {
  const perProcessor = subjects.some(({ service }) => service) ? SERVICE_TRIALS_PER_PROCESSOR : LIVE_TRIALS_PER_PROCESSOR;
  return availableParallelism() * (driver === 'live' ? perProcessor : 1);
}
