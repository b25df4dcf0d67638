/** Resolves to whether a promise was settled within so many milliseconds of real time. Waiting for that keeps no process alive: one that has nothing else to wait for ends. */
export async function isSettledInTime(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: isSettled, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false).unref();
  const settled = () => resolve(true);
  promise.then(settled, settled);
  try {
    return await isSettled;
  } finally {
    clearTimeout(timer);
  }
}
