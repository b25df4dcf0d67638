import { type Bench, withBench } from '../campaign-run/bench.ts';

/** A bench that stays until it is closed. */
export interface OpenBench {
  bench: Bench;
  close(): Promise<void>;
}

/** What `withBench` does around its work, as two calls: a test runner calls us before its tests, and again behind them. */
export function openBench(options: Parameters<typeof withBench>[0]): Promise<OpenBench> {
  const done = Promise.withResolvers<void>();
  return new Promise((opened, failed) => {
    const closed = withBench(options, (bench) => {
      opened({
        bench,
        close() {
          done.resolve();
          return closed;
        },
      });
      return done.promise;
    });
    closed.catch(failed);
  });
}
