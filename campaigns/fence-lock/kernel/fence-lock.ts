import { writeSync } from 'node:fs';

/** The lock that serialises a run's in-band writes. One of three ways to make it. */
export type FenceLock = (options: FenceLockOptions) => {
  /** Resolves when this process holds it, with the function that gives it back. */
  acquire(): Promise<() => Promise<void>>;
};

export interface FenceLockOptions {
  /** The file that is locked. The lock is the directory of that name with `.lock` behind it. */
  file: string;
  /** The session that locks it: it stands in the token, so that a person sees who left a lock behind. */
  session: string;
  /** A lock that has not been touched for so long may be removed by anybody. */
  stale_ms: number;
  /** The lock that this process holds has been taken from it. */
  onLost(): void;
}

/** How often a writer that finds the lock held looks again. */
export const RETRY_MS = 200;

/** Whether an error is one of the system's, with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** A line for the harness, in one write, so that no kill can cut it in two. */
export function say(what: string): void {
  writeSync(1, `@crash ${what}\n`);
}
