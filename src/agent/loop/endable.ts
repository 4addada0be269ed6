/** Ends a generator that is read by somebody who has enough. */

/** A generator that waits for its next value cannot be told to return; this one says so first to whoever works for it. */
export function endable<T, R>(
  source: AsyncGenerator<T, R, void>,
  onReturn: () => void,
): AsyncGenerator<T, R, void> {
  return {
    next: () => source.next(),
    return: (value) => {
      onReturn();
      return source.return(value);
    },
    throw: (error) => {
      onReturn();
      return source.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined as R);
    },
  };
}
