/** Carries values from those who push them to whoever reads them, in order. */

export interface QueueOptions<T> {
  /** How many may wait; default: any number. */
  readonly capacity?: number;
  /** Given what waits when that is more than the capacity; returns what stays. Default: the latest. */
  readonly makeRoom?: (waiting: readonly T[]) => T[];
  /** Called once, when it is closed or its reader has enough. */
  readonly onEnd?: () => void;
}

/** So many that have been read are not worth moving the others. */
const BATCH = 1024;

/** What is pushed after the end is dropped; what was pushed before can still be read. */
export class Queue<T> implements AsyncIterableIterator<T> {
  readonly #capacity: number;
  readonly #options: QueueOptions<T>;
  readonly #readers: ((result: IteratorResult<T>) => void)[] = [];
  #values: T[] = [];
  /** How many of the values have been read. */
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

  /** The reader has enough: what waits is dropped. */
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

  /** Shifting a long array for every value would cost more the more wait. */
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
