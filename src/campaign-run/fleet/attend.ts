import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { BEAT_MS, lookAtRun, OVER, sayGone, sayWorker, type WorkerState } from './posting.ts';

/** A run that nothing has been heard of for so long, beyond what its posting lasts, is let go of: Redis may have lost it for a moment. */
const SILENT_MS_MAX = 30_000;
const LOOK_EVERY_MS = 500;

/** A worker that is there for a run. */
export interface Attendance {
  /** Aborted when the run is over (its reason is then `OVER`), nothing is heard of it any more, or the worker is to stop. */
  ended: AbortSignal;
  /** Says at once what has changed. */
  say(): Promise<void>;
  /** Takes leave. */
  leave(): Promise<void>;
}

/** Tells a run every now and then how its worker is, and looks whether the run is still there. */
export function attend(redis: Redis, id: string, state: () => WorkerState, signal: AbortSignal): Attendance {
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal]);
  const say = () => sayWorker(redis, id, state());

  async function look() {
    let said_ms = -Infinity;
    let heard_ms = performance.now();
    while (!ended.aborted) {
      const now_ms = performance.now();
      if (now_ms - said_ms >= BEAT_MS) {
        said_ms = now_ms;
        await say();
      }
      const run = await lookAtRun(redis, id);
      if (run !== null) heard_ms = performance.now();
      if (run === OVER) end.abort(OVER);
      else if (performance.now() - heard_ms > SILENT_MS_MAX) end.abort();
      await sleep(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
    }
  }

  // It fails when the connection is closed under it, and then there is nothing left to attend to.
  const looking = look().catch(() => end.abort());
  return {
    ended,
    say,
    async leave() {
      end.abort();
      await looking;
      if (redis.status === 'ready') await sayGone(redis, id, state().name);
    },
  };
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
