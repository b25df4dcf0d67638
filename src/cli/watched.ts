import { openProgress, type Progress } from '../report/progress.ts';
import { interruptible } from './interrupt.ts';

/** Runs `work` with progress on stderr, and interruptible as such: resolves to what it gives, and whether Ctrl-C has cut it short. */
export function watched<T>(
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
  lastWord?: () => string,
): Promise<{ result: T; interrupted: boolean }> {
  return interruptible(async (signal) => {
    const progress = openProgress(process.stderr, () => performance.now());
    try {
      const result = await work(progress, signal);
      return { result, interrupted: signal.aborted };
    } finally {
      progress.end();
    }
  }, lastWord);
}
