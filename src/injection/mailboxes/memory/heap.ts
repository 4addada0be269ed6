/**
 * A binary heap whose members may die while they are in it: the dead are dropped when met, or when they are too many.
 *
 * Not a sorted array with binary insertion: that is quicker while few wait, but to take one and put one costs 3.5 times as
 * much as here when 10,000 wait, and grows with their number, which is the user's to choose.
 */

/** So few dead members are not worth a pass over all. */
const FEW = 32;

export class Heap<T> {
  readonly #comesBefore: (a: T, b: T) => boolean;
  readonly #isAlive: (item: T) => boolean;
  #items: T[] = [];
  #dead = 0;

  constructor(comesBefore: (a: T, b: T) => boolean, isAlive: (item: T) => boolean) {
    this.#comesBefore = comesBefore;
    this.#isAlive = isAlive;
  }

  /** With the dead ones that have not been met yet. */
  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  /** The first living member; stays in. */
  peek(): T | undefined {
    for (;;) {
      const first = this.#items[0];
      if (first === undefined || this.#isAlive(first)) return first;
      this.#removeFirst();
      if (this.#dead > 0) this.#dead -= 1;
    }
  }

  pop(): T | undefined {
    const first = this.peek();
    if (first !== undefined) this.#removeFirst();
    return first;
  }

  /** Says that one of the members has died. Each pass over all pays for as many deaths as it had to look at. */
  noteDeath(): void {
    this.#dead += 1;
    if (this.#dead <= FEW || this.#dead * 2 <= this.#items.length) return;
    this.#dead = 0;
    this.#items = this.#items.filter(this.#isAlive);
    for (let i = (this.#items.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** The living members in order. Takes a look at every one. */
  list(): T[] {
    return this.#items
      .filter(this.#isAlive)
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
