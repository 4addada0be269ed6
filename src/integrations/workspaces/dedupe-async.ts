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
