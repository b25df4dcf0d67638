/**
 * Runs `work` over the items, at most `workers` at a time, starting them in order; they need not come to an end. Stops taking new ones when the signal is aborted
 * or one of them throws; what has begun is waited for. Throws the first error.
 */
export async function pool<T>(items: Iterable<T>, workers: number, work: (item: T) => Promise<void>, signal?: AbortSignal): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  async function worker() {
    for (;;) {
      if (failure || signal?.aborted) return;
      const next = queue.next();
      if (next.done) return;
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: workers }, worker));
  if (failure) throw (failure as { error: unknown }).error;
}
