/** A generator wrapper whose `return` takes effect at once. */

/**
 * A generator that is waiting for its next value cannot return until that value arrives. `onReturn` is called first,
 * so that the producer can stop waiting.
 */
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
