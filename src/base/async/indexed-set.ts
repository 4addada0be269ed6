/** A set whose members know their place in it: joining and leaving cost a few instructions, where a Set has to hash. */

/** Belongs to the set while the member is in one; before and after, it is `NO_INDEX`. */
export interface Placed {
  place: number;
}

export const NO_INDEX = -1;

/** Contract: a member is in one such set at a time. The order of the members means nothing. */
export class IndexedSet<T extends Placed> {
  #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    member.place = this.#members.push(member) - 1;
  }

  /** The last one takes the place that becomes free. False: it was not in the set. */
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

  /** Empties the set. */
  takeAll(): T[] {
    const members = this.#members;
    this.#members = [];
    for (const member of members) member.place = NO_INDEX;
    return members;
  }
}
