/**
 * Runs `work` over the items, at most `workers` at a time, starting them in order. Stops taking new ones when the signal is aborted
 * or one of them throws; what has begun is waited for. Throws the first error.
 */
export async function pool<T>(items: T[], workers: number, work: (item: T) => Promise<void>, signal?: AbortSignal): Promise<void> {
  const queue = items.values();
  let failure: { error: unknown } | null = null;
  async function worker() {
    for (const item of queue) {
      if (failure || signal?.aborted) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  if (failure) throw (failure as { error: unknown }).error;
}
