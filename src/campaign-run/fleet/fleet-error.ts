import type { RunStoppedError } from '../run-errors.ts';

/** What is wrong between a run, its workers and the Redis that they share. */
export class FleetError extends Error {
  override name = 'FleetError';
  /** `usage`: it can't be begun as it was asked for. `stopped`: it had begun, and can't go on. */
  readonly when: 'usage' | 'stopped';

  constructor(when: FleetError['when'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.when = when;
  }
}

/** What a worker's machine has run out of says nothing about its trial. */
export function workerStopped(cause: RunStoppedError): FleetError {
  return new FleetError('stopped', `this worker stops, and its trial is left to others: ${cause.message}`, { cause });
}
