/** Work that several may ask for and that is done once. */

/** The same promise for the same key. What has failed can be tried again. */
export function once<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const promise = work();
  running.set(key, promise);
  promise.catch(() => running.delete(key));
  return promise;
}

/** Whoever aborts does not wait any longer; the work goes on for the others, and for the next one who asks. */
export async function waitFor<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
