import { setTimeout as sleep } from 'node:timers/promises';

/** An attempt may take so long before it is made again. A network that was away delivers when it is back, so that there is no hurry. */
const PATIENCE_MS = 10_000;
const BETWEEN_MS = 50;

/** Tries until the service answers: it may be down for a while, or out of reach. What is asked must do no harm when it is asked twice. */
export async function untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await inTime(attempt());
    } catch {
      await sleep(BETWEEN_MS);
    }
  }
}

async function inTime<T>(asked: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS} ms`);
  });
  late.catch(() => {});
  return Promise.race([asked, late]).finally(() => over.abort());
}
