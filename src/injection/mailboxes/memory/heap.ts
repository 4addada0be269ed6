/**
 * A binary heap whose members may become obsolete while they are in it: obsolete members are removed when they reach
 * the top, or when there are too many.
 *
 * Why not a sorted array with binary insertion: it is faster for short queues, but with 10,000 items taking and putting
 * one costs 3.5 times as much, and the cost grows with the number of items, which the user chooses.
 */

/** With fewer obsolete members, a pass over all is not worthwhile. */
const MIN_OBSOLETE = 32;

export class Heap<T> {
  readonly #comesBefore: (a: T, b: T) => boolean;
  readonly #isLive: (item: T) => boolean;
  #items: T[] = [];
  #obsolete = 0;

  constructor(comesBefore: (a: T, b: T) => boolean, isLive: (item: T) => boolean) {
    this.#comesBefore = comesBefore;
    this.#isLive = isLive;
  }

  /** Includes obsolete members that have not been removed yet. */
  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  /** Returns the first live member without removing it. */
  peek(): T | undefined {
    for (;;) {
      const first = this.#items[0];
      if (first === undefined || this.#isLive(first)) return first;
      this.#removeFirst();
      if (this.#obsolete > 0) this.#obsolete -= 1;
    }
  }

  pop(): T | undefined {
    const first = this.peek();
    if (first !== undefined) this.#removeFirst();
    return first;
  }

  /**
   * Reports that a member has become obsolete. A pass over all members removes at least half of them, so the amortised
   * cost is constant.
   */
  noteObsolete(): void {
    this.#obsolete += 1;
    if (this.#obsolete <= MIN_OBSOLETE || this.#obsolete * 2 <= this.#items.length) return;
    this.#obsolete = 0;
    this.#items = this.#items.filter(this.#isLive);
    for (let i = (this.#items.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** The live members in order. Takes linear time or more. */
  list(): T[] {
    return this.#items
      .filter(this.#isLive)
      .sort((a, b) => (this.#comesBefore(a, b) ? -1 : this.#comesBefore(b, a) ? 1 : 0));
  }

  #removeFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#items.length) return;
      const right = left + 1;
      const first = right < this.#items.length && this.#before(right, left) ? right : left;
      if (!this.#swapIfBefore(first, at)) return;
      at = first;
    }
  }

  #before(a: number, b: number): boolean {
    return this.#comesBefore(this.#items[a] as T, this.#items[b] as T);
  }

  #swapIfBefore(a: number, b: number): boolean {
    if (!this.#before(a, b)) return false;
    const [first, second] = [this.#items[a] as T, this.#items[b] as T];
    this.#items[a] = second;
    this.#items[b] = first;
    return true;
  }
}
