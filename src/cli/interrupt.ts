import { EXIT } from './exit-code.ts';

/**
 * Runs `work` with a signal that the first Ctrl-C (or SIGTERM) aborts: no new trial is begun, and what there is is kept and reported.
 * The second one says `lastWord` and ends the process at once; the drivers see to it that no session outlives it.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, lastWord: () => string = () => ''): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) {
      process.stderr.write(lastWord());
      process.exit(EXIT.interrupted);
    }
    process.stderr.write('\ncrash-campaign: stopping after the trials that have begun; once more to stop at once\n');
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
