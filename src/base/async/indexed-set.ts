/** A set whose members store their own index: adding and removing cost a few instructions, where a Set has to hash. */

/** Owned by the set while the member is in one; otherwise `NO_INDEX`. */
export interface Indexed {
  place: number;
}

export const NO_INDEX = -1;

/** Contract: a member is in at most one such set at a time. The order of the members is undefined. */
export class IndexedSet<T extends Indexed> {
  #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    member.place = this.#members.push(member) - 1;
  }

  /** The last member moves into the free slot. Returns false if the member was not in the set. */
  delete(member: T): boolean {
    const { place } = member;
    if (place === NO_INDEX || this.#members[place] !== member) return false;
    member.place = NO_INDEX;
    const last = this.#members.pop() as T;
    if (last === member) return true;
    this.#members[place] = last;
    last.place = place;
    return true;
  }

  list(): T[] {
    return [...this.#members];
  }

  /** Empties the set and returns its members. */
  takeAll(): T[] {
    const members = this.#members;
    this.#members = [];
    for (const member of members) member.place = NO_INDEX;
    return members;
  }
}
