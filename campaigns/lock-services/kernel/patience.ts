import { setTimeout as sleep } from 'node:timers/promises';

/** An attempt may take so long before it is made again. */
const PATIENCE_MS = 1_000;
const BETWEEN_MS = 50;

/** Tries until the service answers: it may be down for a while, or out of reach. */
export async function untilAnswered<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (;;) {
    try {
      return await attempt(AbortSignal.timeout(PATIENCE_MS));
    } catch (error) {
      if (isFinal(error)) throw error;
      await sleep(BETWEEN_MS);
    }
  }
}
