/** Waiting that ends with an AbortSignal: whoever stops waiting leaves no listener behind. */

/** Calls `listener` once when the signal is aborted, at once if it already is, until the returned function is called. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

/**
 * Settles as the promise does, or, when the signal is aborted first, as `fallback` does: without one it rejects with the
 * signal's reason. What becomes of the promise after that is nobody's concern: a late rejection is no unhandled one.
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
