/** Runs asynchronous work once for several concurrent callers. */

/** Returns the same promise for the same key. Failed work can be retried. */
export function once<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const promise = work();
  running.set(key, promise);
  promise.catch(() => running.delete(key));
  return promise;
}
