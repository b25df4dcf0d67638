import { RunStoppedError } from '../run-errors.ts';
import type { Gathering } from './gather.ts';
import type { WorkerState } from './posting.ts';

/** A run waits so long for somebody to take its trials. */
export const PATIENCE_MS = 10 * 60_000;
const SAID_EVERY_MS = 60_000;
/** Workers that are started together with the run need not be asked for. */
const SAID_AFTER_MS = 10_000;

/** Says who refuses, and that too few are there; and when it has been so for too long. */
export function openPatience({
  posting,
  patienceMs,
  runDirectory,
  command,
  onNote,
}: Pick<Gathering, 'posting' | 'patienceMs' | 'runDirectory' | 'command' | 'onNote'>) {
  const needed = posting.request.verify === null ? 1 : 2;
  const refusals = new Map<string, string>();
  let moved_ms = performance.now();
  let said_ms = moved_ms + SAID_AFTER_MS - SAID_EVERY_MS;

  return {
    /** Something has come back. */
    moved() {
      moved_ms = performance.now();
    },
    /**
     * @param isWaiting Whether there is anything to be run.
     * @returns The error with which the run stops; null: it goes on.
     */
    look(workers: WorkerState[], isWaiting: boolean): RunStoppedError | null {
      for (const { name, refuses } of workers) {
        if (refuses === null || refusals.get(name) === refuses) continue;
        refusals.set(name, refuses);
        onNote(`worker ${name} refuses the trials: ${refuses}`);
      }
      const now_ms = performance.now();
      if (!isWaiting || workers.some(({ running }) => running > 0)) moved_ms = now_ms;
      const waited_ms = now_ms - moved_ms;
      const willing = workers.filter(({ refuses }) => refuses === null);
      if (waited_ms >= patienceMs) {
        const who =
          willing.length > 0
            ? `the ${willing.length} that are there leave those that are left to others: with --verify a trial is run by two different ones`
            : [...new Set(refusals.values())].map((why) => `one refused because ${why}`).join('; ') || 'none is there';
        return new RunStoppedError(
          runDirectory,
          `no worker has taken a trial for ${Math.round(waited_ms / 1000)} s: ${who}`,
          `What has been recorded is whole. Start a worker that can: ${command}.`,
        );
      }
      if (willing.length < needed && isWaiting && now_ms - said_ms >= SAID_EVERY_MS) {
        said_ms = now_ms;
        const lack = willing.length === 0 ? 'no worker is there to take trials' : 'one worker is there, and --verify needs a second';
        onNote(`${lack}; the run waits ${Math.round((patienceMs - waited_ms) / 1000)} s for one. Start it: ${command}`);
      }
      return null;
    },
  };
}
