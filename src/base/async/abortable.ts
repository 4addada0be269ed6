/** Waiting that ends with an AbortSignal and leaves no listener behind. */

/**
 * Calls `listener` once, when the signal aborts, or immediately if it already has. The returned function removes the
 * listener.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

/**
 * Settles with the promise or, if the signal aborts first, with `fallback`. Without a fallback it rejects with the
 * signal's reason. After an abort the promise is ignored: a late rejection does not become an unhandled one.
 */
export function abortable<T, F = never>(
  promise: PromiseLike<T> | T,
  signal: AbortSignal | undefined,
  fallback: () => PromiseLike<F> | F = () => {
    throw signal?.reason;
  },
): Promise<T | F> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => {
      try {
        resolve(fallback());
      } catch (error) {
        reject(error);
      }
    });
    Promise.resolve(promise).then(resolve, reject).finally(stop);
  });
}
