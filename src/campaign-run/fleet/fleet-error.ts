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
