/** Carries messages from the steps of a run, which may go on side by side, to the one who reads them in order. */

/** Contract: one reader. What is pushed after the end is dropped. */
export class Channel<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(value: T): void {
    if (this.#ended) return;
    this.#waiting.push(value);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const ready = this.#waiting;
      this.#waiting = [];
      yield* ready;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

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
