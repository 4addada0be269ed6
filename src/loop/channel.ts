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
