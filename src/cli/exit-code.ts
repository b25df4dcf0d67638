/** What the process says to who called it. Zero trials is never 0. */
export const EXIT = {
  pass: 0,
  /** An invariant broke, or the gate found a regression. */
  fail: 1,
  /** Too little was hit, or a comparison is inconclusive. */
  void: 2,
  /** A negative control was not caught. */
  blind: 3,
  /** Bad usage or configuration. */
  usage: 64,
  /** The harness itself failed. */
  harness: 70,
  interrupted: 130,
} as const;

/** What was asked for can't be: the message says what was given, what there is, and what to write. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
