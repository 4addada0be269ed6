/** An ordered queue of values, read as an async iterator. */

export interface QueueOptions<T> {
  /** How many values may be queued. Default: unlimited. */
  readonly capacity?: number;
  /** Called with the queued values when they exceed the capacity; returns those to keep. Default: the latest. */
  readonly makeRoom?: (waiting: readonly T[]) => T[];
  /** Called once, when the queue is closed or its reader returns early. */
  readonly onEnd?: () => void;
}

/** Values already read are removed in batches of at least this size. */
const BATCH = 1024;

/** Values pushed after `close` are dropped; values pushed before it can still be read. */
export class Queue<T> implements AsyncIterableIterator<T> {
  readonly #capacity: number;
  readonly #options: QueueOptions<T>;
  readonly #readers: ((result: IteratorResult<T>) => void)[] = [];
  #values: T[] = [];
  /** How many of `#values` have already been read. */
  #read = 0;
  #isClosed = false;

  constructor(options: QueueOptions<T> = {}) {
    this.#options = options;
    this.#capacity = options.capacity ?? Number.POSITIVE_INFINITY;
  }

  push(value: T): void {
    if (this.#isClosed) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ value, done: false });
      return;
    }
    this.#values.push(value);
    if (this.#values.length - this.#read > this.#capacity) this.#makeRoom();
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.#read < this.#values.length) return { value: this.#take(), done: false };
    if (this.#isClosed) return { value: undefined, done: true };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** The reader stops early: queued values are dropped. */
  async return(): Promise<IteratorResult<T>> {
    this.#values = [];
    this.#read = 0;
    this.close();
    return { value: undefined, done: true };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onEnd?.();
    for (const reader of this.#readers.splice(0)) reader({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Avoids shifting a long array for every value that is read. */
  #take(): T {
    const value = this.#values[this.#read] as T;
    this.#read += 1;
    if (
      this.#read === this.#values.length ||
      (this.#read >= BATCH && this.#read * 2 >= this.#values.length)
    ) {
      this.#values = this.#values.slice(this.#read);
      this.#read = 0;
    }
    return value;
  }

  #makeRoom(): void {
    const waiting = this.#values.slice(this.#read);
    this.#values = this.#options.makeRoom?.(waiting) ?? waiting.slice(-this.#capacity);
    this.#read = 0;
  }
}
